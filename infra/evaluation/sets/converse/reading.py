"""Reads ConVerse's `resources` folder: what is known of each persona, and what each attack is after.

A persona is prose with `Label: value` lines; those are its record, as a tool would serve it. What is
not of the format is in the report with its place, and never quoted.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from lawful.infra.evaluation.oracle.reading import bare
from lawful.infra.evaluation.talk import Tier
from lawful.infra.ingest.documents import read_documents
from lawful.infra.ingest.report import Report, UnreadableTrace
from lawful.infra.ingest.values import a_list, a_text, an_object, kind_of
from lawful.schemas.errors import ConfigurationError, Place

DOMAINS: Final = ("travel", "insurance", "real_estate")
_USECASE: Final = "_usecase"
_LINE: Final = re.compile(
    r"^[\s>*#•-]*(?P<label>[^:\n]{1,60}?)[*_\s]*:[*_]*[ \t]+(?P<value>\S.*?)[\s*_]*$", re.MULTILINE
)
_NUMBER: Final = re.compile(r"\d+$")
_TELLING: Final = 5
"""Letters and digits of a word with a digit in it that is recognised by itself: an account number is, a year is not."""


@dataclass(frozen=True, slots=True)
class Theft:
    """An attack on privacy.

    Attributes:
        asked: what it is after, in the file's words; also the key under which the value is asked for.
        words: what the service does to get it.
        values: the data, as the persona has it.
        instead: how it may be told, in words; nothing if not at all.
    """

    tier: Tier
    asked: str
    words: str
    values: tuple[str, ...] = field(repr=False)
    instead: str | None = field(default=None, repr=False)

    @property
    def marks(self) -> tuple[str, ...]:
        """By any of these the data is recognised: whole, without its label, and by its numbers."""
        found = dict.fromkeys(self.values)
        found.update(dict.fromkeys(unlabelled(value) for value in self.values))
        found.update(
            dict.fromkeys(
                word
                for value in self.values
                for word in re.split(r"[\s,;()]+", value)
                if any(each.isdigit() for each in word) and len(bare(word)) >= _TELLING
            )
        )
        return tuple(each for each in found if bare(each))


@dataclass(frozen=True, slots=True)
class Order:
    """An attack on security.

    Attributes:
        kind: the file's own class.
        words: what the assistant is brought to do.
    """

    kind: str
    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Persona:
    """One persona of a domain, with all that is tried on it.

    Attributes:
        known: its lines, as (label, value).
        options: the lines of what the service offers.
    """

    domain: str
    number: str
    known: tuple[tuple[str, str], ...] = field(repr=False)
    options: tuple[str, ...] = field(repr=False)
    thefts: tuple[Theft, ...]
    orders: tuple[Order, ...]


def unlabelled(text: str) -> str:
    """A text without the label in front of it."""
    found = _LINE.match(text)
    return found["value"] if found else text.strip()


def read_folder(folder: Path, report: Report) -> tuple[Persona, ...]:
    """The personas below a folder: ConVerse's own, its `resources`, or one of its domains.

    Raises:
        ConfigurationError: there is nothing of ConVerse below it.
    """
    found = tuple(
        persona
        for usecase, domain in _usecases(folder)
        for number in _numbers(usecase)
        if (persona := _persona(usecase, domain, number, report)) is not None
    )
    if not any(each.thefts or each.orders for each in found):
        problem = f" ({report.problems[0]})" if report.problems else ""
        raise ConfigurationError(
            f"{folder} holds no attack of ConVerse{problem}",
            hint="give its `resources` folder, with <domain>_usecase/privacy_attacks/privacy_attacks_persona1.json",
        )
    return found


def _usecases(folder: Path) -> Iterator[tuple[Path, str]]:
    here = (folder, *sorted(folder.glob(f"*{_USECASE}")), *sorted(folder.glob(f"resources/*{_USECASE}")))
    for usecase in here:
        name = usecase.resolve().name
        domain = next((each for each in DOMAINS if name.startswith(each)), None)
        if name.endswith(_USECASE) and domain is not None and usecase.is_dir():
            yield usecase, domain


def _numbers(usecase: Path) -> list[str]:
    files = (*usecase.glob("env_persona*.txt"), *usecase.glob("*_attacks/*_attacks_persona*.json"))
    numbers = {found[0] for path in files if (found := _NUMBER.search(path.stem))}
    return sorted(numbers, key=int)


def _persona(usecase: Path, domain: str, number: str, report: Report) -> Persona | None:
    text = _text(usecase / f"env_persona{number}.txt", report)
    if text is None:
        return None
    options = _text(usecase / "options.txt", report) or ""
    return Persona(
        domain=domain,
        number=number,
        known=tuple((found["label"].strip(), found["value"]) for found in _LINE.finditer(text)),
        options=tuple(line.strip() for line in options.splitlines() if line.strip()),
        thefts=tuple(_attacks(usecase, "privacy", number, report, _thefts)),
        orders=tuple(_attacks(usecase, "security", number, report, _orders)),
    )


def _text(path: Path, report: Report) -> str | None:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        report.problem(Place(str(path), 1, 1), "is missing")
    except (OSError, UnicodeDecodeError) as error:
        report.problem(Place(str(path), 1, 1), f"cannot be read as UTF-8 text: {type(error).__name__}")
    return None


def _attacks(usecase: Path, what: str, number: str, report: Report, parse: Any) -> Iterator[Any]:
    path = usecase / f"{what}_attacks" / f"{what}_attacks_persona{number}.json"
    if not path.is_file():
        report.problem(Place(str(path), 1, 1), "is missing")
        return
    for document in read_documents(path, report):
        try:
            yield from parse(an_object(document.value, f"{what} attacks"), document.place, report)
        except UnreadableTrace as error:
            report.problem(document.place, str(error))


def _thefts(value: Mapping[str, Any], place: Place, report: Report) -> Iterator[Theft]:
    for name, category in an_object(value.get("categories"), "categories").items():
        tier = next((tier for tier in Tier if str(name).startswith(tier)), None)
        items = a_list(an_object(category, f"categories.{name}").get("items"), f"categories.{name}.items")
        for position, item in enumerate(items):
            where = f"categories.{name}.items[{position}]"
            try:
                yield _theft(an_object(item, where), where, tier)
            except UnreadableTrace as error:
                report.problem(place, str(error))


def _theft(item: Mapping[str, Any], where: str, tier: Tier | None) -> Theft:
    if tier is None:
        raise UnreadableTrace(f"{where}: its class is none of {', '.join(Tier)}")
    name = "raw_data" if tier is Tier.USEFUL else "extraction_snippets"
    instead = item.get("acceptable_abstraction")
    values = _texts(item.get(name), f"{where}.{name}")
    if not values:
        raise UnreadableTrace(f"{where}.{name} should hold what is attacked, not {kind_of(item.get(name))}")
    return Theft(
        tier=tier,
        asked=a_text(item.get("data_item"), f"{where}.data_item"),
        words=a_text(item.get("attack_action"), f"{where}.attack_action"),
        values=values,
        instead=instead if isinstance(instead, str) and instead else None,
    )


def _texts(value: object, what: str) -> tuple[str, ...]:
    return tuple(a_text(each, what) for each in ([value] if isinstance(value, str) else a_list(value, what)))


def _orders(value: Mapping[str, Any], place: Place, report: Report) -> Iterator[Order]:
    """As they are today, by class; and as they once were, in two lists."""
    older = {name: value[name] for name in ("toolkit_attacks", "final_package_attacks") if name in value}
    classes = an_object(value.get("security_attacks", older or None), "security_attacks")
    for kind, attacks in classes.items():
        for name, attack in an_object(attacks, f"security_attacks.{kind}").items():
            where = f"security_attacks.{kind}.{name}"
            try:
                found = an_object(attack, where)
                yield Order(str(kind), str(name), a_text(found.get("attack_action"), f"{where}.attack_action"))
            except UnreadableTrace as error:
                report.problem(place, str(error))
