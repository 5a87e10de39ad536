"""Which fields of a format are used, which are knowingly left out, and which nobody knows.

A format declares its fields as paths (`actions[].arguments.**`); walking a document against
them finds what the parser would otherwise swallow.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lawful.infra.ingest.report import Report

_Tree = dict[str, Any]
_USED, _LEFT_OUT = "used", "left out"


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one format, compiled by `fields_of`."""

    tree: Mapping[str, Any]

    def account(self, value: object, report: Report) -> None:
        """Count the fields of a document that do not end up in an event."""
        _walk(value, self.tree, "", report)


def fields_of(*, used: Iterable[str], left_out: Iterable[str] = ()) -> Fields:
    """Compile field paths: dots between members, `[]` for elements, `**` for all below.

    A path without `**` names a leaf: an object or array found there is unknown below it.
    """
    tree: _Tree = {}
    for paths, mark in ((used, _USED), (left_out, _LEFT_OUT)):
        for path in paths:
            _plant(tree, path, mark)
    return Fields(tree)


def _plant(tree: _Tree, path: str, mark: str) -> None:
    *parents, last = path.replace("[]", ".[]").lstrip(".").split(".")
    for part in parents:
        tree = tree.setdefault(part, {})
    tree.setdefault(last, {})["="] = mark


def _walk(value: object, tree: Mapping[str, Any], path: str, report: Report) -> None:
    if value is None or value in ("", [], {}):
        return
    mark = tree.get("=") or tree.get("**", {}).get("=")
    if mark == _LEFT_OUT:
        report.left_out[path] += 1
    elif "**" in tree:
        return
    elif isinstance(value, dict):
        _walk_members(value, tree, path, report)
    elif isinstance(value, list):
        _walk_elements(value, tree, path, report)
    elif mark is None:
        report.unknown[path or "(top level)"] += 1


def _walk_members(value: Mapping[str, object], tree: Mapping[str, Any], path: str, report: Report) -> None:
    for key, member in value.items():
        below = tree.get(key)
        place = f"{path}.{key}" if path else str(key)
        if below is not None and key not in ("=", "**", "[]"):
            _walk(member, below, place, report)
        elif member is not None:
            report.unknown[place] += 1


def _walk_elements(value: list[object], tree: Mapping[str, Any], path: str, report: Report) -> None:
    below = tree.get("[]")
    if below is None:
        report.unknown[f"{path}[]"] += 1
        return
    for element in value:
        _walk(element, below, f"{path}[]", report)
