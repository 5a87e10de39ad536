"""Labels that nobody gives, and declassifications that lift everything or say a thing twice."""

from collections.abc import Iterator

from lawful.policies.lint.flaw import Desk, Flaw
from lawful.schemas.taxonomy import covers
from lawful.schemas.yamltree import Path

_EVERYTHING = "user"


def check_labels(desk: Desk) -> Iterator[Flaw]:
    """The flaws of `labels`."""
    document = desk.written.document.labels
    if document is None:
        return
    if not document.givers:
        yield desk.flaw(
            "labels_from_nobody",
            ("labels", "from"),
            "no event gives labels",
            "what one agent tells another in other words passes unjudged, and nothing is there to be lifted",
            "list who gives labels, or leave 'from' out",
        )
    for index, rule in enumerate(document.declassify):
        here: Path = ("labels", "declassify", index)
        if _EVERYTHING in rule.categories:
            yield desk.flaw(
                "declassification_of_everything",
                (*here, "categories"),
                f"'{rule.name}' lifts the labels of all personal data",
                "an agent that may use it passes on whatever it was told, special categories included",
                "name the categories that its output is known to leave out",
            )
        for key, names in (("categories", rule.categories), ("purposes", rule.purposes)):
            for place, name in enumerate(names):
                above = next((each for each in names if each != name and covers(each, name)), None)
                if above is not None or name in names[:place]:
                    yield desk.flaw(
                        "declassification_repeats",
                        (*here, key, place),
                        f"'{name}' stands there already{f', as part of {above!r}' if above else ''}",
                        "it changes nothing",
                        "delete it",
                    )
