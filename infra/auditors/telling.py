"""What collusion of auditors could do, in words: shown when a worker loads them."""

from collections.abc import Iterator

from lawful.policies.auditing.bounds import bounds

A_DAY = 1_000_000


def told(pool: int, sentries: int) -> Iterator[str]:
    """One line for each number of malicious auditors that is not yet a majority, and one for that."""
    yield f"{sentries} of {pool} auditors are drawn for each event of the heavy tier"
    for corrupt in range(1, pool + 1):
        each = bounds(pool, corrupt, sentries, A_DAY)
        if each.majority:
            yield f"with {corrupt} of them malicious they are the majority, and nothing that they let pass is stopped"
            return
        yield (
            f"with {corrupt} malicious a fault that the judge overlooks passes in {each.passes:.3%} of events, "
            f"at least one of a million with probability {each.ever:.3g}"
        )
