"""The auditors' suite in a small size."""

from lawful.infra.evaluation.suites.auditing.run import run


def test_auditing_everything_catches_every_fault_and_the_bounds_hold() -> None:
    """On every graph; tiers and sentries cost fewer calls than asking everybody."""
    found = run(seed=3, size=10, advance=lambda _: None)
    assert found.met
    calls = {
        arm: sum(t.calls for (_, _, name, _), t in found.tallies.items() if name == arm)
        for arm in ("tiered", "majority")
    }
    assert 0 < calls["tiered"] < calls["majority"]
    told = found.as_json()
    assert all(
        row["caught"] == row["faults"]
        for row in told["at_critical"]
        if row["arm"] == "majority" and not row["attackers"]
    )
    assert len(found.grids()) == 3
