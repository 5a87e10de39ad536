"""Reading a policy's own Rego modules: the files beside it, checked before anything runs.

Only their syntax is looked at here, by regorus; nothing is evaluated in this process. What would
answer differently at a second asking (the clock, chance) is refused: an event that is delivered
again must get the verdict it got.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from lawful.policies.document import PolicyDocument, RegoDocument
from lawful.policies.model import RegoRules
from lawful.policies.problems import Problem
from lawful.schemas.verdict import Decision
from lawful.schemas.yamltree import Tree

LARGEST: Final = 100_000
DEEPEST: Final = 10
"""regorus' parser takes twice as long with each further bracket within brackets."""

DENY: Final = "deny"
_PACKAGE: Final = re.compile(r"data\.user(\.[A-Za-z_][A-Za-z0-9_]*)*")
_FICKLE: Final = re.compile(r'\b(time|rand|uuid|http|opa)\s*(?:\.\s*|\[\s*")(now_ns|intn|rfc4122|send|runtime)\b')
_QUIET: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|`[^`]*`|#[^\n]*')
_WHERE: Final = re.compile(r"-->\s*[^\n]*?:(\d+):(\d+)")
_WHAT: Final = re.compile(r"^error: (.*)$", re.MULTILINE)
_HINT: Final = 'write `deny contains {"reason": ..., "message": ...} if {...}` in `package user`'


def read_rego(tree: Tree, document: PolicyDocument) -> tuple[RegoRules | None, list[Problem]]:
    """The policy's Rego rules, if it has any, and everything that is wrong with them."""
    said = document.rego
    if said is None:
        return None, []
    problems: list[Problem] = []
    texts: dict[str, str] = {}
    rules: list[str] = []
    for index, name in enumerate(said.modules):
        place = tree.place(("rego", "modules", index))
        if name in texts:
            problems.append(Problem(place, f"{name} is listed twice", "list it once"))
            continue
        try:
            texts[name] = _text(Path(tree.file).parent / name)
            rules += _rules(name, texts[name])
        except _Wrong as wrong:
            problems.append(Problem(place, *wrong.args))
    if not rules and not problems:
        problems.append(Problem(tree.place(("rego", "modules")), "no module has a rule `deny`", _HINT))
    return _compiled(said, texts, rules), problems


class _Wrong(Exception):
    """A module that cannot be used: what is wrong, and a hint."""


def _compiled(said: RegoDocument, texts: dict[str, str], rules: list[str]) -> RegoRules:
    decision = Decision.BLOCK if said.on_violation == "block" else Decision.WARN
    modules = tuple(sorted(texts.items()))
    return RegoRules(modules, tuple(sorted(set(rules))), decision, said.limit_ms, said.memory_mb)


def _text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
        text = data.decode()
    except OSError as error:
        raise _Wrong(f"{file.name} cannot be read: {error.strerror}", "modules stand beside the policy") from None
    except UnicodeDecodeError:
        raise _Wrong(f"{file.name} is not UTF-8", "save it as UTF-8") from None
    if len(data) > LARGEST:
        raise _Wrong(f"{file.name} is larger than {LARGEST} bytes", "split it")
    return text


def _rules(name: str, text: str) -> Iterator[str]:
    """The full names of the module's `deny` rules."""
    if _depth(text) > DEEPEST:
        raise _Wrong(f"{name} has brackets more than {DEEPEST} deep", "give the inner parts names of their own")
    fickle = _FICKLE.search(text)
    if fickle:
        line = text.count("\n", 0, fickle.start()) + 1
        raise _Wrong(
            f"{name}:{line}: {fickle[1]}.{fickle[2]} would not answer the same again",
            "for the time, use input.at.recorded_at",
        )
    package, tree = _parsed(name, text)
    if not _PACKAGE.fullmatch(package):
        raise _Wrong(f"{name} is of the package '{package.removeprefix('data.')}'", "begin it with `package user`")
    for rule in tree["rules"]:
        head = rule.get("Spec", {}).get("head", {})
        if "Set" in head and _root(head["Set"]["refr"]) == DENY and "Var" in head["Set"]["refr"]:
            yield f"{package}.{DENY}"
        elif _root(_reference(rule, head)) == DENY:
            raise _Wrong(f"{name} has a `{DENY}` that is no set", _HINT)


def _parsed(name: str, text: str) -> tuple[str, Any]:
    import regorus  # noqa: PLC0415 - only who has Rego rules pays for the engine

    engine = regorus.Engine()
    try:
        engine.add_policy(name, text)
        return engine.get_packages()[0], json.loads(engine.get_ast_as_json())[0]["ast"]
    except Exception as error:  # noqa: BLE001 - regorus raises RuntimeError, and what it likes
        said = str(error)
        where, what = _WHERE.search(said), _WHAT.search(said)
        place = f"{name}:{where[1]}:{where[2]}" if where else name
        raise _Wrong(f"{place}: {what[1] if what else 'this is no Rego'}", "see the Rego reference") from None
    finally:
        del engine  # the error's frames must not carry it to another thread


def _reference(rule: Any, head: Any) -> Any:
    if "Default" in rule:
        return rule["Default"]["refr"]
    return next((each["refr"] for each in head.values() if "refr" in each), None)


def _root(reference: Any) -> str | None:
    """The first word of a reference: `deny` of `deny.x[y]`."""
    while isinstance(reference, dict) and "Var" not in reference:
        reference = next(iter(reference.values())).get("refr")
    return reference["Var"]["value"] if isinstance(reference, dict) else None


def _depth(text: str) -> int:
    depth = deepest = 0
    for each in _QUIET.sub("", text):
        depth += (each in "([{") - (each in ")]}")
        deepest = max(deepest, depth)
    return deepest
