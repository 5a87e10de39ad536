"""Whether the names in a policy mean something, and whether what it says may be said under the GDPR.

A misspelt purpose or category would be a rule that silently never applies. So every name must lead
somewhere, and a near miss gets a suggestion.
"""

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from lawful.policies.channels.checks import check_channels
from lawful.policies.document import PolicyDocument, PurposeDocument
from lawful.policies.model import LegalBasis
from lawful.policies.problems import Problem, did_you_mean
from lawful.policies.rules.build import read_rules
from lawful.policies.toolschemas import check_tool_schema
from lawful.schemas.taxonomy import SpecialKind, categories, covers, known_purposes, special_kind
from lawful.schemas.yamltree import Path, Tree

_KEY = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")
_MAY_SURVIVE = (LegalBasis.LEGAL_OBLIGATION, LegalBasis.PUBLIC_TASK)


def check_meaning(tree: Tree, document: PolicyDocument) -> Iterator[Problem]:
    """Everything that is wrong with a document of the right shape."""
    if document.draft:
        yield Problem(
            tree.place(("draft",), key=True),
            "this policy is a draft whose guesses nobody has confirmed",
            "settle every '# review:' line, then delete 'draft: true'",
        )
    for key, purpose in document.purposes.items():
        yield from _purpose(tree, ("purposes", key), key, purpose)
    for name, tool in document.tools.items():
        yield from _purposes_exist(tree, document, ("tools", name, "purposes"), tool.purposes)
        if tool.arguments is not None:
            yield from check_tool_schema(tree, ("tools", name, "schema"), tool.arguments)
    yield from _purposes_exist(tree, document, ("messages", "purposes"), document.messages.purposes)
    yield from _extraction(tree, document)
    yield from _labels(tree, document)
    yield from check_channels(tree, document)
    for flaw in read_rules(document).flaws:
        yield Problem(tree.place(flaw.path), flaw.message, flaw.hint)
    for category in document.redaction.by_category:
        yield from _category(tree, ("redaction", "by_category", category), category, key=True)


def _labels(tree: Tree, document: PolicyDocument) -> Iterator[Problem]:
    if document.labels is None:
        return
    names: set[str] = set()
    for index, rule in enumerate(document.labels.declassify):
        path: Path = ("labels", "declassify", index)
        if rule.name in names:
            yield Problem(tree.place((*path, "name")), f"there are two declassifications '{rule.name}'", "rename one")
        names.add(rule.name)
        yield from _purposes_exist(tree, document, (*path, "purposes"), rule.purposes)
        for number, category in enumerate(rule.categories):
            yield from _category(tree, (*path, "categories", number), category)


def _purpose(tree: Tree, path: Path, key: str, purpose: PurposeDocument) -> Iterator[Problem]:
    place = tree.place(path, key=True)
    if not _KEY.fullmatch(key):
        yield Problem(place, f"'{key}' is no purpose", "a dotted key in lower case, such as marketing.email")
    elif (meant := _misspelt(key)) is not None:
        yield Problem(place, f"the purpose '{key}' looks misspelt", f"did you mean '{meant}'?")
    if purpose.survives_erasure and purpose.legal_basis not in _MAY_SURVIVE:
        yield Problem(
            tree.place((*path, "survives_erasure"), key=True),
            f"the purpose '{key}' cannot survive an erasure on the legal basis '{purpose.legal_basis.value}'",
            "Art. 17(3)(b) spares legal_obligation and public_task",
        )
    for index, category in enumerate(purpose.necessary):
        yield from _category(tree, (*path, "necessary", index), category)
        yield from _condition(tree, (*path, "necessary", index), key, purpose, category)


def _misspelt(key: str) -> str | None:
    """A widely known purpose from which this one differs by a few letters of one word."""
    if key in known_purposes():
        return None
    words = key.split(".")
    for known in known_purposes():
        theirs = known.split(".")
        if len(theirs) == len(words):
            differing = [(ours, other) for ours, other in zip(words, theirs, strict=True) if ours != other]
            if len(differing) == 1 and _alike(*differing[0]):
                return known
    return None


def _alike(one: str, two: str) -> bool:
    long_enough, near = 6, 0.85
    return min(len(one), len(two)) >= long_enough and SequenceMatcher(None, one, two).ratio() >= near


def _condition(tree: Tree, path: Path, key: str, purpose: PurposeDocument, category: str) -> Iterator[Problem]:
    kind = special_kind(category)
    if kind is SpecialKind.ARTICLE_9 and purpose.article9 is None and purpose.legal_basis is not LegalBasis.CONSENT:
        yield Problem(
            tree.place(path),
            f"the purpose '{key}' needs the special category '{category}' without a condition of Art. 9(2)",
            "add 'article9', for instance 'article9: health_care', or rest the purpose on consent",
        )
    if kind is SpecialKind.ARTICLE_10 and purpose.article10 is None:
        yield Problem(
            tree.place(path),
            f"the purpose '{key}' needs '{category}' without an authorisation under Art. 10",
            "add 'article10: official_authority' or 'article10: authorised_by_law'",
        )


def _purposes_exist(tree: Tree, document: PolicyDocument, path: Path, names: Iterable[str]) -> Iterator[Problem]:
    for index, name in enumerate(names):
        if not any(covers(declared, name) for declared in document.purposes):
            yield Problem(
                tree.place((*path, index)),
                f"the purpose '{name}' is not one of this policy's",
                did_you_mean(name, document.purposes) or "declare it under 'purposes'",
            )


def _category(tree: Tree, path: Path, name: str, *, key: bool = False) -> Iterator[Problem]:
    if name not in categories():
        yield Problem(tree.place(path, key=key), f"'{name}' is no data category", did_you_mean(name, categories()))


def _extraction(tree: Tree, document: PolicyDocument) -> Iterator[Problem]:
    extraction = document.extraction
    for index, identifier in enumerate(extraction.identifiers):
        yield from _category(tree, ("extraction", "identifiers", index, "category"), identifier.category)
        yield from _pattern(tree, ("extraction", "identifiers", index, "pattern"), identifier.pattern)
    for index, hint in enumerate(extraction.hints):
        yield from _category(tree, ("extraction", "hints", index, "category"), hint.category)
    for index, harmless in enumerate(extraction.not_personal):
        yield from _pattern(tree, ("extraction", "not_personal", index, "pattern"), harmless.pattern)


def _pattern(tree: Tree, path: Path, pattern: str) -> Iterator[Problem]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        yield Problem(tree.place(path), f"this is no regular expression: {error.msg}")
        return
    if compiled.fullmatch(""):
        yield Problem(tree.place(path), "this regular expression matches nothing at all, and so everything")
