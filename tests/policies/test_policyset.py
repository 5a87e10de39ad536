"""Several policies: by id, one by default, and never none."""

from dataclasses import replace
from pathlib import Path

import pytest

from lawful.policies.policyset import PolicySet
from lawful.schemas.errors import ConfigurationError
from tests.policies.samples import TEXT, policy


def write(folder: Path, name: str, text: str = TEXT) -> Path:
    """A policy file under a name, with that id."""
    file = folder / f"{name}.yaml"
    file.write_text(text.replace("id: sample", f"id: {name}"))
    return file


def test_policies_are_found_by_id(tmp_path: Path) -> None:
    """An unknown id has no policy, rather than another's."""
    write(tmp_path, "one")
    write(tmp_path, "two")
    policies = PolicySet.load([tmp_path], default="two")
    assert [getattr(policies.get(name), "id", None) for name in ("one", "two", "three", None)] == [
        "one",
        "two",
        None,
        "two",
    ]


def test_the_only_policy_is_the_default_one() -> None:
    """With several and no default, sessions that name none have none."""
    assert PolicySet.of([policy()]).get() == policy()
    two = write_both()
    assert two.get() is None


def write_both() -> PolicySet:
    """Two policies and no default."""
    return PolicySet.of([policy(), replace(policy(), id="other")])


def test_packs_and_files_in_a_folder(tmp_path: Path) -> None:
    """Folders with a `policy.yaml` count, golden cases do not."""
    write(tmp_path, "one")
    (tmp_path / "pack").mkdir()
    write(tmp_path / "pack", "policy", TEXT.replace("id: sample", "id: packed"))
    (tmp_path / "golden.yaml").write_text("cases: []")
    assert sorted(PolicySet.load([tmp_path]).policies) == ["one", "packed"]
    assert list(PolicySet.load([tmp_path / "pack"]).policies) == ["packed"]


def test_no_policy_is_an_error(tmp_path: Path) -> None:
    """An empty folder, nothing at all, a path that is not there (A26)."""
    for sources in ([tmp_path], [], [tmp_path / "absent"]):
        with pytest.raises(ConfigurationError, match="no policy"):
            PolicySet.load(sources)


def test_ids_differ(tmp_path: Path) -> None:
    """Two policies under one id are a mistake, not a choice."""
    write(tmp_path, "one")
    (tmp_path / "copy.yaml").write_text(TEXT.replace("id: sample", "id: one"))
    with pytest.raises(ConfigurationError, match="two policies have the id 'one'"):
        PolicySet.load([tmp_path])


def test_a_default_must_be_there() -> None:
    """A misspelt default gets a suggestion."""
    with pytest.raises(ConfigurationError, match="did you mean 'sample'"):
        PolicySet.of([policy()], default="sampel")


def test_one_broken_file_breaks_the_start(tmp_path: Path) -> None:
    """A fleet must not start with half of its policies."""
    write(tmp_path, "one")
    write(tmp_path, "two", "id: two")
    with pytest.raises(ConfigurationError, match=r"two\.yaml:1:1"):
        PolicySet.load([tmp_path])


def test_a_reload_takes_what_is_new(tmp_path: Path) -> None:
    """A changed file counts from the reload on; the old set stays as it was."""
    write(tmp_path, "one")
    before = PolicySet.load([tmp_path])
    write(tmp_path, "one", TEXT.replace('version: "1"', 'version: "2"'))
    after = before.reload()
    assert [getattr(each.get("one"), "version", None) for each in (before, after)] == ["1", "2"]
    assert after.trouble is None


def test_a_broken_reload_keeps_the_last_good_ones(tmp_path: Path) -> None:
    """And says why; once the file is mended, the trouble is over (A26)."""
    file = write(tmp_path, "one")
    before = PolicySet.load([tmp_path])
    write(tmp_path, "one", TEXT.replace("legal_basis", "legal_bases"))
    broken = before.reload()
    assert broken.get("one") == before.get("one")
    assert "one.yaml" in str(broken.trouble)
    file.unlink()
    assert broken.reload().get("one") == before.get("one")
    write(tmp_path, "one")
    mended = broken.reload()
    assert (mended, mended.trouble) == (before, None)


def test_sets_made_in_memory_have_nothing_to_reload() -> None:
    """A reload gives the set itself."""
    policies = PolicySet.of([policy()])
    assert policies.reload() is policies
