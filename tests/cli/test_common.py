"""What commands share."""

from pathlib import Path

import pytest

from lawful.cli.common import when_ready
from lawful.infra.settings_load import load_settings


@pytest.mark.parametrize(("form", "lines"), [("text", 1), ("json", 0)])
def test_a_part_started_by_hand_says_when_it_is_ready(
    form: str, lines: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, which a log in JSON has no place for; the file for whoever watches is made either way."""
    settings = load_settings({"LAWFUL_LOG_FORMAT": form, "LAWFUL_KAFKA_BOOTSTRAP": "127.0.0.1:7"})
    when_ready("worker", settings, tmp_path / "ready")()
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("worker: ready, reading from Kafka at 127.0.0.1:7")) == ("", lines)
    assert (tmp_path / "ready").exists()
    when_ready("worker", settings, None)()
