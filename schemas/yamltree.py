"""YAML as plain data that remembers where each part of it stood.

Operators get errors with file, line and column. The composed tree is walked by hand rather than
constructed: nothing turns into a date or a float behind one's back, no tag makes an object, doubled
keys are seen, and a few bytes of anchors cannot grow into gigabytes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from lawful.schemas.errors import Place
from lawful.schemas.problems import InvalidFile, Problem

Path = tuple[str | int, ...]
"""Keys and indices from the top of the document."""

MOST_NODES = 50_000
DEEPEST = 64

_WORDS: Mapping[str, Any] = {"true": True, "false": False}


@dataclass(slots=True)
class Tree:
    """A document's data, and the places of its parts.

    Attributes:
        values: where the value at a path begins.
        keys: where the key that leads to a path stands.
    """

    file: str
    data: Any = None
    values: dict[Path, Place] = field(default_factory=dict)
    keys: dict[Path, Place] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    nodes: int = 0

    def place(self, path: Path, *, key: bool = False) -> Place:
        """Where a part stands; for what is not there, where its nearest container stands."""
        if key and path in self.keys:
            return self.keys[path]
        for length in range(len(path), -1, -1):
            if path[:length] in self.values:
                # A missing member is reported at the key of the container that lacks it.
                found = path[:length]
                return self.keys.get(found, self.values[found]) if length < len(path) else self.values[found]
        return Place(self.file, 1, 1)


def read_yaml(text: str, file: str) -> Tree:
    """Reads one YAML document.

    Raises:
        InvalidFile: it is no YAML, or uses what plain data has no use for.
    """
    tree = Tree(file)
    try:
        root = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        place = Place(file, mark.line + 1, mark.column + 1) if mark else Place(file, 1, 1)
        raise InvalidFile([Problem(place, f"this is not YAML: {error.problem or error.context}")]) from None
    except (YAMLError, RecursionError, ValueError) as error:
        raise InvalidFile([Problem(Place(file, 1, 1), f"this is not YAML: {type(error).__name__}")]) from None
    if root is None:
        raise InvalidFile([Problem(Place(file, 1, 1), "the file is empty", "start from a file of a pack")])
    tree.data = _walk(tree, root, ())
    if tree.problems:
        raise InvalidFile(tree.problems)
    return tree


def _walk(tree: Tree, node: Node, path: Path) -> Any:
    tree.nodes += 1
    place = tree.values[path] = _place(tree, node)
    if tree.nodes > MOST_NODES or len(path) > DEEPEST:
        raise InvalidFile([Problem(place, "the file is too large or too deep", "are anchors repeating each other?")])
    if isinstance(node, MappingNode):
        return _mapping(tree, node, path)
    if isinstance(node, SequenceNode):
        return [_walk(tree, item, (*path, index)) for index, item in enumerate(node.value)]
    return _scalar(tree, node, place)


def _mapping(tree: Tree, node: MappingNode, path: Path) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key_node, value_node in node.value:
        place = _place(tree, key_node)
        if not isinstance(key_node, ScalarNode):
            tree.problems.append(Problem(place, "a key must be plain text"))
            continue
        key = str(key_node.value)
        if key in data:
            tree.problems.append(Problem(place, f"the key '{key}' is there twice", "keep one of them"))
            continue
        tree.keys[*path, key] = place
        data[key] = _walk(tree, value_node, (*path, key))
    return data


def _scalar(tree: Tree, node: Node, place: Place) -> Any:
    kind = str(node.tag).removeprefix("tag:yaml.org,2002:")
    text = str(node.value)
    if kind in ("str", "timestamp"):
        return text
    if kind == "null":
        return None
    if kind == "bool":
        return _WORDS[text.lower()]
    if kind in ("int", "float"):
        return _number(text)
    tree.problems.append(Problem(place, f"the tag {node.tag} has no meaning here", "write plain data"))
    return None


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _place(tree: Tree, node: Node) -> Place:
    return Place(tree.file, node.start_mark.line + 1, node.start_mark.column + 1)
