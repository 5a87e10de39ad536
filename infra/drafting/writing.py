"""A draft as YAML: written line by line, since its comments are the point of it."""

import json
import re
from collections.abc import Iterable, Iterator

from lawful.infra.drafting.draft import Draft, DraftPurpose, DraftTool

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*([.-][A-Za-z0-9_]+)*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
# What YAML's reader refuses or reads as a line break, and JSON leaves as it is.
_ODD = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")

_HEAD = """\
# A draft, made from tool definitions. Nobody has confirmed it: every line marked '# review:' is a guess.
# Settle each (correct it or leave it, and delete the mark); then delete 'draft: true'. Until then
# `lawful policy check` and the workers refuse this policy. `lawful policy lint` and `lawful policy
# explain` read drafts too.
draft: true
"""


def write_draft(draft: Draft) -> str:
    """The text of the policy."""
    return "\n".join([_HEAD + "\n".join(_lines(draft)), ""])


def _lines(draft: Draft) -> Iterator[str]:
    yield f"id: {scalar(draft.id)}"
    yield 'version: "0.1"'
    yield "# review: who answers for the processing (GDPR Art. 4(7)), and where people reach them"
    yield 'controller: {name: "To be named", contact: ""}'
    yield from ("", "purposes:")
    for purpose in draft.purposes:
        yield from _purpose(purpose)
    yield from ("", "tools:")
    for tool in draft.tools:
        yield from _tool(tool)
    yield from ("", "messages:")
    yield "  # review: guessed: people write to the agents to be served"
    yield f"  purposes: [{draft.message_purpose}]"
    yield from ("", "# Lawful's defaults, spelt out.", "actions: {P1: block, P2: block, P3: redact, P4: block}")


def _purpose(purpose: DraftPurpose) -> Iterator[str]:
    users = f"guessed for {', '.join(map(_word, purpose.tools[:5]))}" if purpose.tools else "guessed for messages"
    more = f" and {len(purpose.tools) - 5} more" if len(purpose.tools) > 5 else ""  # noqa: PLR2004 - as cut above
    yield f"  # review: {users}{more}"
    yield f"  {purpose.key}:"
    yield "    # review: the legal basis is the usual one for such a purpose (GDPR Art. 6(1))"
    yield f"    legal_basis: {purpose.legal_basis}"
    if purpose.article9 is not None:
        yield f"    # review: {purpose.article9.why} (GDPR Art. 9(2))"
        yield f"    article9: {purpose.article9.value}"
    yield f"    description: {scalar(purpose.description)}"
    yield "    # review: only what arguments are called is known; add what the results must hold"
    yield from _necessary(purpose)
    yield "    # review: say how long the data is kept, for instance 'retention: 1y'"


def _necessary(purpose: DraftPurpose) -> Iterator[str]:
    if not purpose.necessary:
        yield "    necessary: []"
    else:
        yield "    necessary:"
        for category, why in purpose.necessary.items():
            yield f"      - {category}  # review: {_comment(why)}"
    for category, why in purpose.left_out.items():
        yield f"      # review: {category} is left out: {why}; {_comment(purpose.key)} may need it"


def _tool(each: DraftTool) -> Iterator[str]:
    yield f"  {scalar(each.tool.name)}:"
    yield f"    # review: {_comment(each.purpose.why)}"
    if not each.purpose.value:
        yield "    # Until it has a purpose, personal data in its calls and results is blocked (P2)."
    yield f"    purposes: [{each.purpose.value}]"
    if each.recipient.why:
        yield f"    # review: {_comment(each.recipient.why)}"
        yield f"    recipient: {each.recipient.value}"
    if each.tool.description:
        yield f"    description: {scalar(_cut(each.tool.description))}"
    if each.schema is None:
        yield f"    # review: no schema: {_comment(each.lacks)}"
    else:
        yield f"    schema: {_quoted(each.schema)}"


def scalar(text: str) -> str:
    """A text as YAML reads it back, plain where that is safe."""
    return text if _PLAIN.fullmatch(text) and text.lower() not in _WORDS else _quoted(text)


def _quoted(value: object) -> str:
    """JSON, which is YAML but for a few characters."""
    return _ODD.sub(lambda odd: f"\\u{ord(odd.group()):04x}", json.dumps(value, ensure_ascii=False))


def _comment(text: str) -> str:
    """On one line, without what a reader of YAML refuses."""
    return "".join(char for char in text if char.isprintable())


def _word(name: str) -> str:
    return _comment(name)


def _cut(text: str, most: int = 200) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def review_marks(text: str) -> Iterable[str]:
    """The lines that somebody has to look at."""
    return [line for line in text.splitlines() if "# review:" in line]
