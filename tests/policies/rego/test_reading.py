"""Rego modules of a policy: found, checked, and part of what the policy says."""

from pathlib import Path

import pytest

from lawful.policies.load import load_policy
from lawful.policies.model import RegoRules
from lawful.policies.problems import InvalidPolicy
from lawful.policies.written import read_written
from lawful.schemas.verdict import Decision
from tests.policies.samples import TEXT

HEAD = "package user\nimport rego.v1\n"
DENY = HEAD + 'deny contains {"reason": "no", "message": "no"} if input.view.tool == "mail"\n'
REGO = "rego:\n  modules: [deny.rego]\n"
LINE = (TEXT + REGO).count("\n")

WRONG = [
    ("", "no module has a rule `deny`"),
    (HEAD + "allow if true\n", "no module has a rule `deny`"),
    (HEAD + "deny contains {\n", "deny.rego:4:1: expecting expression"),
    (DENY.replace("package user", "package users"), "deny.rego is of the package 'users'"),
    (DENY.replace("package user", "package lawful"), "deny.rego is of the package 'lawful'"),
    (HEAD + "deny := true\n", "deny.rego has a `deny` that is no set"),
    (HEAD + "default deny := false\n", "deny.rego has a `deny` that is no set"),
    (HEAD + "deny.x contains 1 if true\n", "deny.rego has a `deny` that is no set"),
    (DENY + "late if time.now_ns() > 1\n", "deny.rego:4: time.now_ns would not answer the same again"),
    (DENY + 'late if time["now_ns"]() > 1\n', "deny.rego:4: time.now_ns would not answer the same again"),
    (DENY + 'odd if rand.intn("x", 2) == 1\n', "deny.rego:4: rand.intn would not answer the same again"),
    (DENY + f"deep := {'[' * 30}{']' * 30}\n", "deny.rego has brackets more than 10 deep"),
    (DENY + "#" * 100_000, "deny.rego is larger than 100000 bytes"),
    (None, "deny.rego cannot be read: No such file or directory"),
]


def written(folder: Path, module: str | None = DENY, rego: str = REGO) -> Path:
    """A policy with a module beside it."""
    (folder / "policy.yaml").write_text(TEXT + rego)
    if module is not None:
        (folder / "deny.rego").write_text(module)
    return folder / "policy.yaml"


@pytest.mark.parametrize(("module", "message"), WRONG)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, module: str | None, message: str) -> None:
    """The policy's line and column, the module's name and place, and regorus' own words."""
    if module == "":
        module = HEAD
    with pytest.raises(InvalidPolicy) as raised:
        load_policy(written(tmp_path, module))
    (problem,) = raised.value.problems
    assert problem.place.file == str(tmp_path / "policy.yaml")
    assert problem.place.line == LINE
    assert message in problem.message
    assert problem.hint


@pytest.mark.parametrize(
    "rego",
    [
        "rego: {}",
        "rego: {modules: []}",
        "rego: {modules: [../deny.rego]}",
        "rego: {modules: [deny.txt]}",
        "rego: {modules: [deny.rego], limit_ms: 0}",
        "rego: {modules: [deny.rego], memory_mb: 8}",
        "rego: {modules: [deny.rego], on_violation: redact}",
        "rego: {modules: [deny.rego, deny.rego]}",
    ],
)
def test_the_section_has_one_shape(tmp_path: Path, rego: str) -> None:
    """Files beside the policy, limits within bounds, each once."""
    with pytest.raises(InvalidPolicy):
        load_policy(written(tmp_path, rego=rego + "\n"))


def test_a_policy_holds_its_rules(tmp_path: Path) -> None:
    """Helpers need no `deny`; a package below `user` may have one; defaults are the documented ones."""
    (tmp_path / "help.rego").write_text(HEAD + "known if count(input.history) > 0\n")
    (tmp_path / "more.rego").write_text(DENY.replace("user", "user.more"))
    policy = load_policy(written(tmp_path, rego="rego: {modules: [more.rego, help.rego, deny.rego]}\n"))
    assert policy.rego is not None
    assert [name for name, _ in policy.rego.modules] == ["deny.rego", "help.rego", "more.rego"]
    assert policy.rego.names == ("data.user.deny", "data.user.more.deny")
    assert (policy.rego.decision, policy.rego.limit_ms, policy.rego.memory_mb) == (Decision.BLOCK, 100, 256)


def test_the_modules_count_towards_the_digest(tmp_path: Path) -> None:
    """Another text is another policy, whether it is read to be judged by or to be explained."""
    file = written(tmp_path)
    first = load_policy(file)
    assert read_written(file.read_text(), str(file)).policy() == first
    (tmp_path / "deny.rego").write_text(DENY.replace("mail", "find"))
    second = load_policy(file)
    assert second.digest != first.digest
    file.write_text(TEXT)
    assert load_policy(file).digest not in {first.digest, second.digest}


def test_rules_are_a_key() -> None:
    """Equal rules are the same key, whatever policy they came with."""
    rules = (("a", "b"),)
    assert len({RegoRules(rules, ("x",)), RegoRules(rules, ("x",)), RegoRules(rules, ("x",), limit_ms=1)}) == 2
