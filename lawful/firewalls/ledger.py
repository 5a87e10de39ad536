"""What one recipient has been told of one person, added up over a session."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from lawful.firewalls.abstraction import Abstraction, Combination, Excess, FieldRule
from lawful.firewalls.population import Population, Rows, step_of
from lawful.schemas.event import RecipientKind
from lawful.schemas.normalising import plain


class Withheld(Exception):
    """A value may not go out.

    Args:
        reason: a stable code.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered once, and is answered again.

    Attributes:
        value: what was true, in its normal form.
        told: what was told of it.
        step: the number of the form it went out in; nothing for a refusal.
        reason: of the refusal.
    """

    value: str = field(repr=False)
    told: str = field(repr=False)
    step: int | None
    reason: str = ""

    def to(self, value: str) -> tuple[int, str]:
        """The form and the text, if it is the same question: what is true, or what was told of it.

        Raises:
            Withheld: it was refused, or the question is another one.
        """
        if self.step is None:
            raise Withheld(self.reason)
        if plain(value) not in {self.value, plain(self.told)}:
            raise Withheld("otherwise_disclosed")
        return self.step, self.told


@dataclass(slots=True)
class Ledger:
    """The disclosures of one person to one recipient.

    Attributes:
        rows: who of the population could be meant.
        is_closed: nothing goes out; a session keeps only so many ledgers.
        answers: by field, what was answered.
        counted: fields that count for combinations.
    """

    rows: Rows = field(repr=False)
    is_closed: bool = False
    answers: dict[str, Answer] = field(default_factory=dict)
    counted: set[str] = field(default_factory=set)

    def ask(
        self, rules: Abstraction, rule: FieldRule, value: str, kind: RecipientKind, people: Population | None
    ) -> tuple[int, str]:
        """In which of its forms, and as what, a field may go out; it is written down.

        Raises:
            Withheld: in none.
        """
        if self.is_closed:
            raise Withheld("too_many")
        if rule.name not in self.answers:
            steps, counts = self._combined(rules, rule, kind)
            answer = self._crowded(rules, rule, value, steps, people)
            self.answers[rule.name] = answer
            self.counted |= {rule.name} if counts and answer.step is not None else set()
        return self.answers[rule.name].to(value)

    def _combined(self, rules: Abstraction, rule: FieldRule, kind: RecipientKind) -> tuple[Sequence[int], bool]:
        """The forms that combinations leave, and whether the field counts in them."""
        broken = [each for each in rules.combinations if self._is_one_too_many(each, rule.name, kind)]
        every = range(len(rule.steps))
        if not broken:
            return every, True
        if len(every) > 1 and all(each.action is Excess.GENERALISE for each in broken):
            return every[-1:], False
        raise Withheld("combination")

    def _is_one_too_many(self, rule: Combination, name: str, kind: RecipientKind) -> bool:
        applies = name in rule.fields and (rule.kinds is None or kind in rule.kinds)
        return applies and len(self.counted & rule.fields) >= rule.most

    def _crowded(
        self, rules: Abstraction, rule: FieldRule, value: str, steps: Sequence[int], people: Population | None
    ) -> Answer:
        """The most exact form that leaves enough people, or why there is none."""
        if rules.crowd is None or rule.name not in rules.crowd.fields:
            told = ((number, step_of(value, rule.steps[number])) for number in steps)
            found = next(((number, text) for number, text in told if text is not None), None)
            number, text = found or (None, "")
            return Answer(plain(value), text, number, "not_generalised")
        if people is None:  # nobody to hide among
            return Answer(plain(value), "", None, "too_unique")
        answer = people.answer(self.rows, rule.name, value, [rule.steps[number] for number in steps], rules.crowd.k)
        self.rows = answer.rows
        step = None if answer.step is None else steps[answer.step]
        return Answer(plain(value), answer.text, step, "too_unique")
