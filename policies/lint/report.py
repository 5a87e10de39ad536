"""All checks over one text, in the order of the text."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lawful.policies.keynames import KeyNames
from lawful.policies.lint.actions import check_actions
from lawful.policies.lint.allowances import Allowed, sort_out
from lawful.policies.lint.channels import check_channels
from lawful.policies.lint.extraction import check_extraction
from lawful.policies.lint.flaw import Desk, Flaw, Severity
from lawful.policies.lint.labels import check_labels
from lawful.policies.lint.purposes import check_purposes
from lawful.policies.lint.rules import check_rules
from lawful.policies.lint.tools import check_tools
from lawful.policies.problems import InvalidPolicy, Problem
from lawful.policies.written import Written, read_written

CHECKS: tuple[Callable[[Desk], Iterator[Flaw]], ...] = (
    check_purposes,
    check_tools,
    check_actions,
    check_extraction,
    check_rules,
    check_channels,
    check_labels,
)


@dataclass(frozen=True, slots=True)
class Report:
    """What was found.

    Attributes:
        flaws: sorted by place.
        allowed: those that a comment accepts.
    """

    flaws: tuple[Flaw, ...] = ()
    allowed: tuple[Allowed, ...] = ()

    @property
    def errors(self) -> tuple[Flaw, ...]:
        """The flaws for which the policy cannot be used."""
        return tuple(flaw for flaw in self.flaws if flaw.severity is Severity.ERROR)


def lint(text: str, file: str = "policy.yaml", names: KeyNames | None = None) -> Report:
    """Everything doubtful in a policy's text; total, whatever the text.

    A policy with errors is only told these: what else would be said of it may not hold.

    Args:
        text: of the policy.
        file: names it in places.
        names: what member names say; by default only the policy's own hints count.
    """
    try:
        written = read_written(text, file)
        desk = Desk(written, written.policy(), names or KeyNames())
    except InvalidPolicy as error:
        return Report(tuple(_error(problem) for problem in error.problems))
    flaws = [*_draft(written), *(flaw for check in CHECKS for flaw in check(desk))]
    remaining, allowed = sort_out(flaws, text, file)
    return Report(tuple(sorted(remaining, key=_order)), allowed)


def _order(flaw: Flaw) -> tuple[int, int, str, str]:
    return flaw.place.line, flaw.place.column, flaw.code, flaw.message


def _error(problem: Problem) -> Flaw:
    return Flaw("invalid", problem.place, problem.message, mend=problem.hint, severity=Severity.ERROR)


def _draft(written: Written) -> Iterator[Flaw]:
    if written.draft:
        yield Flaw(
            "draft",
            written.tree.place(("draft",), key=True),
            "this is a draft: its guesses are not confirmed",
            "workers and `policy check` refuse it",
            "settle every '# review:' line, then delete 'draft: true'",
        )
