"""Hits held against labels."""

import json
from pathlib import Path

import pytest

from lawful.infra.corpus.template import Label, Sample
from lawful.infra.scoring.evaluate import OURS, THEIRS, evaluate
from lawful.infra.scoring.public_sets import agentleak, magpie, tau2
from lawful.infra.scoring.readers import Found, Reader
from lawful.infra.scoring.score import Score, better, finds, right
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import Payload, UserMessage

TEXT = "write to Ada Lovelace, a registered Democrat"
NAME, PARTY = Label("/text", 9, 21, "name"), Label("/text", 23, 44, "politics")


def hit(start: int, end: int, what: str, path: str = "/text") -> Found:
    """A hit of a test."""
    return Found(path, start, end, what, "test")


@pytest.mark.parametrize(
    ("found", "label", "expected"),
    [
        (hit(9, 21, "user.name"), NAME, True),
        (hit(9, 21, "PERSON"), NAME, True),
        (hit(9, 15, "user.name.first"), NAME, True),
        (hit(9, 12, "user.name"), NAME, False),
        (hit(9, 21, "user.contact.email"), NAME, False),
        (hit(9, 21, "user.name", "/arguments/a"), NAME, False),
        (hit(36, 44, "user.demographic.political_opinion"), PARTY, True),
    ],
)
def test_a_value_is_found_by_half_of_it(found: Found, label: Label, expected: bool) -> None:  # noqa: FBT001 - a column
    """The right kind at the right place, and half of the value; of a term, its telling word."""
    assert finds(found, label) is expected


def test_a_hit_is_right_where_values_are() -> None:
    """A hit that spreads over what is not personal is wrong."""
    assert right(hit(9, 21, "user.name"), [NAME, PARTY])
    assert right(hit(36, 44, "NRP"), [NAME, PARTY])
    assert not right(hit(0, 8, "user.name"), [NAME, PARTY])
    assert not right(hit(9, 21, "user.name"), [])


def test_a_score_counts_values_hits_and_alarms() -> None:
    """Recall is of values, precision of hits; texts about nobody are told apart."""
    score = Score()
    score.add(
        Sample("en", "message", UserMessage(TEXT), (NAME, PARTY)), [hit(9, 21, "user.name"), hit(0, 5, "user.name")]
    )
    score.add(Sample("de", "message", UserMessage("x")), [hit(0, 1, "PHONE_NUMBER")])
    told = score.as_dict()
    assert (told["all"]["recall"], told["all"]["precision"]) == (0.5, 0.3333)
    assert told["by"]["type"]["politics"]["found"] == 0
    assert told["by"]["type and language"]["name en"]["right"] == 1
    assert told["by"]["language"]["de"]["recall"] is None
    assert told["without_personal_data"] == {"samples": 1, "flagged": 1, "alarms": {"PHONE_NUMBER": 1}}


def test_two_readers_are_compared() -> None:
    """Better is better in both, on the whole and on each part."""
    sample = Sample("en", "message", UserMessage(TEXT), (NAME, PARTY))
    readers: dict[str, Reader] = {
        OURS: lambda _: [hit(9, 21, "user.name")],
        THEIRS: lambda _: [hit(9, 21, "PERSON"), hit(0, 5, "DATE_TIME")],
    }
    steps: list[int] = []
    told = evaluate([sample], readers, steps.append)
    assert told["better"] == {"all": False, "message": False, "en": False}
    assert sum(steps) == 2
    assert better({"recall": 0.6, "precision": 0.9}, {"recall": 0.5, "precision": 0.8})
    assert not better({"recall": 0.6, "precision": 0.7}, {"recall": 0.5, "precision": 0.8})


def test_tau2_knows_its_arguments(tmp_path: Path) -> None:
    """Personal arguments are known by name, all else is a false alarm."""
    (tmp_path / "shop").mkdir()
    actions = [{"name": "find", "action_id": "1", "arguments": {"zip": "19122", "item_ids": ["83"], "note": ""}}]
    (tmp_path / "shop" / "tasks.json").write_text(json.dumps([{"evaluation_criteria": {"actions": actions}}]))
    told = tau2(tmp_path, lambda _: [hit(0, 2, "PHONE_NUMBER", "/arguments/item_ids/0")]).as_dict()
    assert (told["values"], told["recall"], told["missed"]) == (1, 0.0, {"zip": 1})
    assert (told["false_alarms_per_1000"], told["alarms"]) == (1000.0, {"PHONE_NUMBER in item_ids": 1})


def test_magpie_knows_its_people(tmp_path: Path) -> None:
    """A name of the scenario is right, another word is not."""
    log = {"scenario_data": {"who": "Ada Lovelace"}, "conversation_log": [{"content": TEXT}, {"content": {"a": 1}}]}
    (tmp_path / "a.json").write_text(json.dumps(log))

    def reader(payload: Payload) -> list[Found]:
        is_text = getattr(payload, "text", "") == TEXT
        return [hit(9, 21, "PERSON"), hit(0, 5, "PERSON"), hit(0, 5, "NRP")] if is_text else []

    told = magpie(tmp_path, reader).as_dict()
    assert (told["payloads"], told["alarms"]) == (2, {"PERSON": 1, "NRP": 1})


def test_agentleak_knows_what_was_exposed(tmp_path: Path) -> None:
    """Exposed values must be covered whole, vaults' fields by their name."""
    channels = {
        "channel_c2": {"message": TEXT, "pii_exposed": ["Ada Lovelace"]},
        "channel_c5": {"memory_key": "k", "memory_value": TEXT, "pii_exposed": ["Ada Lovelace"]},
    }
    vault = {"private_vault": {"records": [{"fields": {"email": "a@b.co", "phone": "none", "salary": 1}}]}}
    (tmp_path / "traces_internal_channels.jsonl").write_text(json.dumps(channels))
    (tmp_path / "scenarios_x.jsonl").write_text(json.dumps(vault))
    told = agentleak(
        tmp_path, lambda _: [hit(9, 21, "user.name"), hit(0, 6, "EMAIL_ADDRESS", "/content/email")]
    ).as_dict()
    assert (told["values"], told["found"], told["missed"]) == (4, 2, {"pii_exposed": 1, "salary": 1})
    assert told["false_alarms_per_1000"] is None


def test_a_folder_without_the_set_says_so(tmp_path: Path) -> None:
    """The wrong folder is no empty result."""
    with pytest.raises(ConfigurationError, match=r"tasks\.json"):
        tau2(tmp_path, lambda _: [])
