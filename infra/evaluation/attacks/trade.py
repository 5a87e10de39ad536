"""What a trade's agents do all day, in words that every family of attacks can use.

Purposes and categories are stated here by hand, not read from the policy: they are the truth that
the monitor's answers are held against.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lawful.infra.evaluation.trial import Condition
from lawful.infra.fleet.people import Person
from lawful.schemas.event import Identifier

Arguments = Callable[[Person, str], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Datum:
    """A piece of a person's data: its category, and the scheme under which it identifies the person."""

    category: str
    form: str
    scheme: str | None = None


@dataclass(frozen=True, slots=True)
class Secret:
    """Data that a trade has no use for, with the words and the field name it goes by."""

    category: str
    field: str
    words: str
    of: Callable[[Person], str]


@dataclass(frozen=True, slots=True)
class Deed:
    """Something an agent does with a tool.

    Attributes:
        arguments: made from the person and a remark.
        consent: the purpose that a person has to agree to first, if that is what it rests on.
        categories: what such a consent has to name (`None`: it need not name any).
        condition: what must have gone before.
    """

    tool: str
    purposes: tuple[str, ...]
    arguments: Arguments
    consent: str | None = None
    categories: tuple[str, ...] | None = None
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Trade:
    """A policy pack's agents.

    Attributes:
        service: what messages are for.
        look_up, record: how a person's record is read, and what comes back.
        routine: what else is done with the record, on no consent.
        by_consent: what needs the person's consent.
        survivor: what a legal duty allows after an erasure.
        strays: purposes that the controller never declared.
        stray_tools: tools that it never declared.
        secrets: what the service has no use for; none of it special, so that only minimisation speaks.
        data: what of a person may turn up in a payload.
    """

    pack: str
    agents: tuple[str, str, str]
    service: tuple[str, ...]
    identifier: Callable[[Person], Identifier]
    look_up: Deed
    record: Callable[[Person], dict[str, Any]]
    routine: tuple[Deed, ...]
    by_consent: tuple[Deed, ...]
    survivor: Deed
    strays: tuple[str, ...]
    stray_tools: tuple[str, ...]
    secrets: tuple[Secret, ...]
    data: Callable[[Person], tuple[Datum, ...]]
    requests: tuple[str, ...]
    offers: tuple[str, ...]

    @property
    def tools(self) -> Mapping[str, Deed]:
        """Every deed by its tool's name."""
        return {deed.tool: deed for deed in (self.look_up, *self.routine, *self.by_consent, self.survivor)}


def common_data(person: Person) -> tuple[Datum, ...]:
    """What every trade may hold of a person."""
    return (
        Datum("user.name", person.name),
        Datum("user.contact.email", person.email, "email"),
        Datum("user.contact.phone_number", person.phone, "phone"),
        Datum("user.contact.address", person.address),
        Datum("user.demographic.date_of_birth", person.born),
        Datum("user.financial.credit_card", person.card),
        *(Datum(secret.category, secret.of(person)) for secret in (SSN, PASSPORT, ADDRESS_IP)),
    )


def _ssn(person: Person) -> str:
    return f"{person.number % 500 + 100:03}-{person.number % 89 + 10:02}-{person.number:04}"


CARD = Secret("user.financial.credit_card", "card_number", "card number", lambda person: person.card)
BORN = Secret("user.demographic.date_of_birth", "date_of_birth", "date of birth", lambda person: person.born)
SSN = Secret("user.government_id.national_identification_number", "ssn", "social security number", _ssn)
PASSPORT = Secret(
    "user.government_id.passport_number",
    "passport_number",
    "passport number",
    lambda person: f"X{person.number * 7907 % 100_000_000:08}",
)
ADDRESS_IP = Secret(
    "user.device.ip_address",
    "ip_address",
    "IP address",
    lambda person: f"203.0.{person.number // 250}.{person.number % 250 + 1}",
)
