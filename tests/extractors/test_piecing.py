"""What looks like a spelt-out address is paid for before it is looked up."""

import pytest

from lawful.extractors.budget import Budget, TooMuchWork
from lawful.extractors.disguises import undone
from lawful.extractors.piecing import has_public_suffix
from lawful.extractors.reading import Reading


@pytest.mark.parametrize(
    ("domain", "known"), [("example.com", True), ("a.co.uk", True), ("a.b", False), ("x.", False), ("a.x1", False)]
)
def test_public_suffixes(domain: str, known: bool) -> None:  # noqa: FBT001 - a parameter
    """A domain stands below one that is listed."""
    assert has_public_suffix(domain) is known


def test_looking_domains_up_is_paid_for() -> None:
    """Thousands of them are more than an event may cost."""
    budget = Budget(lambda: 0.0, 1.0, steps=5_000)
    with pytest.raises(TooMuchWork):
        list(undone(Reading("j @ xy . zz " * 500), budget.spend))
