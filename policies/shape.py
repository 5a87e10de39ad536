"""Pydantic's findings in the words of someone who writes policies."""

from collections.abc import Iterator
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from lawful.policies.problems import InvalidPolicy, Problem, did_you_mean
from lawful.schemas.yamltree import Path, Tree

Model = TypeVar("Model", bound=BaseModel)


def check_shape(tree: Tree, model: type[Model]) -> Model:
    """The document as the model has it, if its keys and values have the right shape.

    Raises:
        InvalidPolicy: with every wrong key and value at its place.
    """
    if not isinstance(tree.data, dict):
        keys = ", ".join(f"'{name}'" for name, field in model.model_fields.items() if field.is_required())
        raise InvalidPolicy([Problem(tree.place(()), f"this must be a mapping with the keys {keys}")])
    try:
        return model.model_validate(tree.data)
    except ValidationError as error:
        raise InvalidPolicy(_problem(tree, model, each) for each in error.errors(include_url=False)) from None


def _problem(tree: Tree, model: type[BaseModel], error: ErrorDetails) -> Problem:
    path = tuple(part for part in error["loc"] if part != "[key]")
    name = str(path[-1]) if path else ""
    match error["type"]:
        case "missing":
            return Problem(tree.place(path), f"the key '{name}' is missing{_within(path)}")
        case "extra_forbidden":
            known = _allowed(model, path[:-1])
            hint = did_you_mean(name, known) or f"the keys are {', '.join(known)}"
            return Problem(tree.place(path, key=True), f"unknown key '{name}'{_within(path)}", hint)
        case "enum" | "literal_error":
            return _wrong_word(tree, path, error)
        case "string_type":
            return Problem(tree.place(path), f"'{name}' must be text", f'write it in quotes: "{error["input"]}"')
        case "string_pattern_mismatch":
            return _wrong_form(tree, path, name, error)
        case _:
            return Problem(tree.place(path), f"'{name}': {error['msg'][:1].lower()}{error['msg'][1:]}")


def _wrong_word(tree: Tree, path: Path, error: ErrorDetails) -> Problem:
    expected = str(error.get("ctx", {}).get("expected", "")).replace(" or ", ", ")
    words = [word.strip().strip("'") for word in expected.split(",")]
    given = str(error["input"])
    hint = did_you_mean(given, words) or f"one of: {', '.join(words)}"
    return Problem(tree.place(path), f"'{given}' is no value for '{path[-1]}'", hint)


def _wrong_form(tree: Tree, path: Path, name: str, error: ErrorDetails) -> Problem:
    hints = {
        "retention": "a number and one of s, m, h, d, w, y, such as 30d",
        "id": "lower-case letters, digits, '-' and '_', beginning with a letter",
        "scheme": "lower-case letters, digits and '_', beginning with a letter",
    }
    return Problem(tree.place(path), f"'{error['input']}' is no {name}", hints.get(name, ""))


def _within(path: Path) -> str:
    return f" in '{'.'.join(map(str, path[:-1]))}'" if len(path) > 1 else ""


def _allowed(top: type[BaseModel], path: Path) -> list[str]:
    """The keys that the mapping at this path may have."""
    kind: Any = top
    for part in path:
        if isinstance(part, str) and _is_model(kind) and part in kind.model_fields:
            kind = kind.model_fields[part].annotation
        else:
            kind = next(iter(_models(kind)), None)
    model = next(iter(_models(kind)), None)
    return [info.alias or name for name, info in model.model_fields.items()] if model else []


def _models(kind: Any) -> Iterator[type[BaseModel]]:
    if _is_model(kind):
        yield kind
    for inner in get_args(kind):
        yield from _models(inner)


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
