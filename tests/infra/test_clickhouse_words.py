"""What is told of what a server says."""

from lawful.infra.clickhouse.client import LONGEST, first_line


def test_a_servers_words_are_told_whole_without_long_lists() -> None:
    """Versions and long lists go, the end stays; what is longer still ends at a word, with a mark."""
    columns = ", ".join(f"column_{number}" for number in range(50))
    said = f"Code: 497. DB::Exception: it needs SELECT({columns}) ON lawful.audit. (ACCESS_DENIED) (version 26.1 (x))"
    assert first_line(ValueError(said)) == "it needs SELECT(…) ON lawful.audit. (ACCESS_DENIED)"
    assert (
        first_line(ValueError("not closed: failed at position 8 ('\n FORMAT x")) == "not closed: failed at position 8"
    )
    long = first_line(ValueError("word " * 200))
    assert long.endswith("word …")
    assert len(long) <= LONGEST
