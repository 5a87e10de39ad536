"""The example of Rego rules in the pages is a policy that works, golden case and all."""

from pathlib import Path

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from tests.docs.pages import ROOT, blocks
from tests.policies.samples import TEXT

PAGE = ROOT / "docs" / "rules.md"
GOLDEN = """
cases:
  - name: health data at first
    steps:
      - event: {tool: find, purposes: [care], finds: [user.health_and_medical]}
        expect: {decision: block, violations: ["rego:health_at_first_contact health_at_first_contact"]}
  - name: health data later
    given: [{tool: find}]
    steps:
      - event: {tool: find, purposes: [care], finds: [user.health_and_medical]}
        expect: {decision: forward}
"""


def test_the_example_denies_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`lawful policy check` takes it, and `lawful policy test` runs it for golden cases."""
    (section,) = (block for block in blocks(PAGE, "yaml") if block.startswith("rego:"))
    (module,) = blocks(PAGE, "rego")
    (tmp_path / "policy.yaml").write_text(TEXT + section.replace("limit_ms: 100 ", "limit_ms: 9999 "))
    (tmp_path / "deny.rego").write_text(module)
    (tmp_path / "golden.yaml").write_text(GOLDEN)
    assert run(["policy", "check", str(tmp_path)]) == Exit.FINE
    assert run(["policy", "test", str(tmp_path)]) == Exit.FINE, capsys.readouterr().err
    (tmp_path / "deny.rego").write_text(module.replace("== 0", "== 1"))
    assert run(["policy", "test", str(tmp_path)]) == Exit.FAULT
