"""Who talks to whom, of the last so many messages of a tenant. Costs the same for every message."""

from collections import OrderedDict, deque
from collections.abc import Iterable

Edge = tuple[int, int]


class Talk:
    """A window over what agents say to each other.

    Memory is bounded by the window: an agent or an edge that does not occur in it any more is forgotten.

    Args:
        window: how many messages are looked back at.
    """

    def __init__(self, window: int) -> None:
        self._window = window
        self._said: deque[tuple[Edge, ...]] = deque()
        self._edges: dict[Edge, int] = {}
        self._numbers: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._uses: dict[int, int] = {}
        self._free = 0
        self._senders: OrderedDict[str, int] = OrderedDict()

    def say(self, event_id: str, agents: tuple[str, ...], causation_id: str | None) -> None:
        """Takes a message in.

        Args:
            event_id: of the message, so that what it causes is known to come from its sender.
            agents: its sender, then its receiver if that is an agent.
            causation_id: the event that led to it.
        """
        sender, *receivers = [self._number(name) for name in agents]
        edges = [(sender, sender), *((sender, each) for each in receivers)]
        cause = self._senders.get(causation_id) if causation_id else None
        if cause is not None and cause in self._names:
            edges.append((cause, sender))
        self._add(tuple(edges))
        self._senders[event_id] = sender
        if len(self._senders) > self._window:
            self._senders.popitem(last=False)

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number, self._free = self._free, self._free + 1
            self._numbers[name] = number
            self._names[number] = name
        return number

    def _add(self, edges: tuple[Edge, ...]) -> None:
        for edge in edges:
            self._edges[edge] = self._edges.get(edge, 0) + 1
            for end in edge:
                self._uses[end] = self._uses.get(end, 0) + 1
        self._said.append(edges)
        if len(self._said) > self._window:
            self._forget(self._said.popleft())

    def _forget(self, edges: Iterable[Edge]) -> None:
        for edge in edges:
            self._edges[edge] -= 1
            if not self._edges[edge]:
                del self._edges[edge]
            for end in edge:
                self._uses[end] -= 1
                if not self._uses[end]:
                    del self._uses[end]
                    del self._numbers[self._names.pop(end)]

    def known(self, name: str) -> bool:
        """Whether an agent occurs in the window."""
        return name in self._numbers

    def graph(self) -> tuple[list[str], list[Edge]]:
        """The agents, sorted, and who talks to whom, as pairs of places in that list, each once, the lower first."""
        names = sorted(self._numbers)
        places = {self._numbers[name]: place for place, name in enumerate(names)}
        pairs = ((places[one], places[other]) for one, other in self._edges if one != other)
        return names, sorted({(min(pair), max(pair)) for pair in pairs})
