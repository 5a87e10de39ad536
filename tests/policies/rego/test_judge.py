"""The Rego judge: the same documents with and without shortcuts, and no answer is no pass."""

import gc
import json
import sys
import threading

import pytest

from lawful.infra.bench.workload import everyday
from lawful.policies.rego import judge as module
from lawful.policies.rego.document import document, document_text
from lawful.policies.rego.judge import Charge, RegoJudge
from lawful.schemas.errors import MustBlock
from lawful.schemas.history import EMPTY, LinkFact, MergeFact
from lawful.schemas.verdict import Decision
from tests.policies.samples import SEEN, at, consent, erasure, history, policy, telling, view, withdrawal

EMAIL = "user.contact.email"


def test_the_written_document_is_the_document() -> None:
    """What is put together from remembered parts reads back as what is made in one piece."""
    past = history(consent("marketing", expires_at=9), withdrawal(), erasure(), SEEN, LinkFact("l", "b", "a"))
    for seen in (view(EMAIL, purposes=["marketing"], tool="mail"), telling(MergeFact("m", "b"))):
        whole = json.dumps(document(seen, at(50), past, policy()))
        assert json.loads(document_text(seen, at(50), past, policy())) == json.loads(whole)


def test_facts_from_the_event_on_are_left_out() -> None:
    """The judge is shown only what stood before the event."""
    past = history(consent("marketing"), withdrawal())
    assert [each["offset"] for each in document(view(), at(2), past, policy())["history"]] == [1]


def test_a_violation_names_rule_reason_purpose_and_decision() -> None:
    """As the operational judge names it."""
    found = RegoJudge().judge(view(EMAIL, purposes=["marketing"]), at(5), EMPTY, policy())
    assert found.decision is Decision.BLOCK
    assert found.charges == {Charge("P1", "consent_missing", "marketing", None, Decision.BLOCK)}


@pytest.mark.parametrize("answer", ['"<undefined>"', "null", "[]"])
def test_no_verdict_is_no_pass(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Undefined comes back from regorus as a text; it blocks."""

    class Engine:
        def set_input_json(self, _: str) -> None: ...

        def eval_rule_as_json(self, _: str) -> str:
            return answer

    monkeypatch.setattr(module, "_engine", Engine)
    with pytest.raises(MustBlock, match="gave no verdict"):
        RegoJudge().judge(view(), at(1), EMPTY, policy())


def test_an_engine_that_fails_is_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the class only: a foreign message may quote what was judged."""

    class Engine:
        def set_input_json(self, _: str) -> None:
            raise RuntimeError("ada@example.com")

    monkeypatch.setattr(module, "_engine", Engine)
    with pytest.raises(MustBlock, match="failed with RuntimeError") as refused:
        RegoJudge().judge(view(), at(1), EMPTY, policy())
    assert "ada" not in str(refused.value)


def test_threads_do_not_share_an_engine() -> None:
    """One judge may be asked from several threads at once."""
    shared = RegoJudge()
    found: list[Decision] = []

    def ask() -> None:
        event = view(EMAIL, purposes=["marketing"])
        found.extend(shared.judge(event, at(5), EMPTY, policy()).decision for _ in range(5))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [Decision.BLOCK] * 15


def test_a_judge_that_another_thread_throws_away_takes_no_engine_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Collected anywhere, it says nothing: regorus complains when an engine is dropped on a foreign thread."""
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    kept: list[RegoJudge] = []
    asked, dropped = threading.Event(), threading.Event()

    def ask() -> None:
        kept.append(RegoJudge())
        kept[0].judge(view(EMAIL, purposes=["marketing"]), at(5), EMPTY, policy())
        asked.set()
        dropped.wait(30)

    asking = threading.Thread(target=ask)
    asking.start()
    assert asked.wait(30)
    kept.clear()
    gc.collect()
    dropped.set()
    asking.join()
    assert told == []


def test_the_batch_form_says_of_each_event_what_the_single_form_says() -> None:
    """One call for a whole trace."""
    given = everyday(people=3, events_each=6)
    asked = [(each.view, each.at, each.history, each.policy) for each in given]
    single = RegoJudge()
    assert RegoJudge().judge_all(asked) == [single.judge(*each) for each in asked]


def test_the_batch_form_keeps_the_order_and_takes_nothing() -> None:
    """No events, no verdicts."""
    assert RegoJudge().judge_all([]) == []


def test_modules_are_read_from_beside_the_judge() -> None:
    """What an auditor reads is what is run."""
    names = {path.name for path in module.modules()}
    assert {"consent.rego", "purpose.rego", "minimisation.rego", "erasure.rego", "verdict.rego", "batch.rego"} <= names
