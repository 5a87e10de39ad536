"""How a process is told to take part in an upgrade."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lawful.infra.settings import Settings
from lawful.infra.upgrading import take_part
from lawful.schemas import catalogue
from lawful.schemas.codec import PROCESS, decode, encode
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.state import Watermark
from tests.schemas.samples import VERDICT

RELEASED = Path(catalogue.__file__).parent / "avsc" / "released"


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Whatever a test sets is undone."""
    yield
    PROCESS.upgrade({}, ())


def test_it_writes_as_the_older_release_and_reads_it_back() -> None:
    """Only the records that are named."""
    take_part(Settings(write_as="Verdict=1, AnnotatedView=1"))
    assert encode(VERDICT)[2:10] == catalogue.released("Verdict")[0].fingerprint
    assert encode(Watermark(1))[2:10] == catalogue.current("Watermark").fingerprint
    assert decode(encode(VERDICT), type(VERDICT)) == VERDICT


def test_it_reads_the_schemas_of_a_folder() -> None:
    """All of a release's, however deep they lie."""
    take_part(Settings(also_read=RELEASED))
    assert decode(encode(VERDICT), type(VERDICT)) == VERDICT


@pytest.mark.parametrize("text", ["Verdict", "Verdict=", "Verdict=one", "Verdict=1;View=1"])
def test_what_is_not_a_list_of_releases_is_refused(text: str) -> None:
    """The message shows how it is written."""
    with pytest.raises(ConfigurationError, match="write_as is"):
        take_part(Settings(write_as=text))


@pytest.mark.parametrize("text", ["Verdict=99", "Nothing=1"])
def test_a_release_that_never_was_is_refused(text: str) -> None:
    """Before the first record, not at it."""
    with pytest.raises(ConfigurationError, match="has no released version"):
        take_part(Settings(write_as=text))


def test_a_folder_without_schemas_is_refused(tmp_path: Path) -> None:
    """An empty one is a mistake."""
    with pytest.raises(ConfigurationError, match="there is no schema"):
        take_part(Settings(also_read=tmp_path))


@pytest.mark.parametrize("text", ["{", '"string"', '{"type": "record", "name": "Other", "fields": []}'])
def test_a_schema_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    """What it writes could not be read."""
    (tmp_path / "v9.avsc").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="cannot be used"):
        take_part(Settings(also_read=tmp_path))
