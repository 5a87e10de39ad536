"""As much of PromQL as it takes to see which metrics an expression asks for, and by which labels."""

import re
from collections.abc import Iterator

_TOKEN = re.compile(r'"[^"]*"|[A-Za-z_][A-Za-z0-9_]*|\S')
_SELECTOR = re.compile(r"\b([a-z][a-z0-9_]*)\b(?:\{([^}]*)\})?")
_BY = re.compile(r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)")
_LABEL = re.compile(r"([a-zA-Z_]\w*)\s*(?:=~|!~|!=|=)")
_FUNCTIONS = frozenset(["sum", "max", "min", "avg", "count", "rate", "increase", "histogram_quantile", "absent"])
_OPERATORS = frozenset(
    ["by", "without", "on", "ignoring", "group_left", "group_right", "and", "or", "unless", "offset"]
)
_CLOSES = {")": "(", "]": "[", "}": "{"}


def metrics(expression: str) -> set[str]:
    """The names of the series that it reads."""
    return {name for name, _ in _selectors(expression)}


def labels(expression: str) -> set[str]:
    """The labels that it selects or groups by."""
    found = {label for _, matchers in _selectors(expression) for label in _LABEL.findall(matchers)}
    return found | {name.strip() for group in _BY.findall(expression) for name in group.split(",") if name.strip()}


def balanced(expression: str) -> bool:
    """Whether brackets and quotes close."""
    open_now: list[str] = []
    for token in _TOKEN.findall(expression):
        if token in _CLOSES.values():
            open_now.append(token)
        elif token in _CLOSES and (not open_now or open_now.pop() != _CLOSES[token]):
            return False
    return not open_now and expression.count('"') % 2 == 0


def _selectors(expression: str) -> Iterator[tuple[str, str]]:
    bare = _BY.sub(" ", expression)
    bare = re.sub(r"\[[^\]]*\]|\boffset\s+\w+", " ", bare)
    for name, matchers in _SELECTOR.findall(bare):
        if name not in _FUNCTIONS | _OPERATORS or matchers:
            yield name, matchers
