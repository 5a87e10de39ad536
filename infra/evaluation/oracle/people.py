"""Who agreed to what until when, who is gone: kept by the persons themselves, whatever names they go by."""

from dataclasses import dataclass, field

from lawful.infra.evaluation.oracle.law import SPECIAL, within
from lawful.infra.evaluation.trial import Change, Standing
from lawful.schemas.event import Micros


@dataclass(slots=True)
class People:
    """What every person of a trial wants, as of the step that was looked at last."""

    consents: dict[str, list[Standing]] = field(default_factory=dict)
    erased: set[str] = field(default_factory=set)

    def learn(self, truth: Standing) -> None:
        """A person changed something. It holds whether or not anybody recorded it."""
        person = truth.person
        match truth.change:
            case Change.CONSENT:
                self.consents.setdefault(person, []).append(truth)
            case Change.RE_ENROLMENT:
                self.erased.discard(person)
                self.consents.setdefault(person, []).append(truth)
            case Change.WITHDRAWAL:
                self.consents[person] = [each for each in self.consents.get(person, []) if not _ended(each, truth)]
            case Change.ERASURE:
                self.erased.add(person)
                self.consents.pop(person, None)
            case Change.LINK:
                pass  # the persons know who they are

    def agreed(self, person: str, purpose: str, category: str, at: Micros) -> bool:
        """Whether the person's consent covers this."""
        return any(
            within(purpose, each.purposes or ()) and _covers(each, category) and (each.until is None or at < each.until)
            for each in self.consents.get(person, [])
        )


def _ended(consent: Standing, withdrawal: Standing) -> bool:
    """Whether a withdrawal ends a consent: all of them, or what lies at or below what it names."""
    if withdrawal.purposes is None:
        return True
    return all(within(purpose, withdrawal.purposes) for purpose in consent.purposes or ())


def _covers(consent: Standing, category: str) -> bool:
    """Special categories have to be named at their own level; a consent to all of a person is none to health."""
    named = consent.categories
    if within(category, SPECIAL):
        return any(within(category, (name,)) and within(name, SPECIAL) for name in named or ())
    return named is None or within(category, named)
