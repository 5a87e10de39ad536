"""The demo's live table: who does what, what was decided, why."""

from collections import Counter, deque
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lawful.cli.console import STYLES

if TYPE_CHECKING:
    from lawful.infra.fleet.run import Played

SHOWN = 14


class Board:
    """Collects what was played and draws the newest of it.

    Args:
        total: how many events there will be.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._newest: deque[Played] = deque(maxlen=SHOWN)
        self._decisions: Counter[str] = Counter()
        self.played: list[Played] = []

    def told(self, played: "Played") -> None:
        """Take in one more."""
        self.played.append(played)
        self._newest.append(played)
        self._decisions[played.verdict.decision.word] += 1

    def __rich__(self) -> RenderableType:
        """Draw it."""
        counts = "  ".join(f"[{STYLES[word]}]{word} {self._decisions[word]}[/]" for word in STYLES)
        head = Text.from_markup(f"[bold]{len(self.played)}[/] of {self._total} events   {counts}")
        table = Table("agent", "event", "decision", "why", box=None, pad_edge=False, header_style="bold", expand=True)
        for played in tuple(self._newest):
            table.add_row(
                played.story.agent_id,
                event_words(played),
                Text(played.verdict.decision.word, _style(played)),
                why(played),
            )
        return Group(head, table)


def event_words(played: "Played") -> str:
    """What kind of event it is, with the tool where there is one."""
    tool = getattr(played.event.payload, "tool", "")
    return f"{played.event.kind.value} {tool}".strip()


def why(played: "Played") -> str:
    """Reasons, with what they concern; an erasure's outcome; the story's title where all is well."""
    verdict = played.verdict
    if verdict.violations:
        reasons = dict.fromkeys(
            f"{each.rule} {each.reason}"
            + (f" ({each.purpose or each.category})" if each.purpose or each.category else "")
            for each in verdict.violations
        )
        return "; ".join(reasons)
    if verdict.exceptions:
        return f"survives the erasure: {', '.join(verdict.exceptions)}"
    return verdict.outcome.value if verdict.outcome else played.story.title


def _style(played: "Played") -> str:
    return STYLES[played.verdict.decision.word]
