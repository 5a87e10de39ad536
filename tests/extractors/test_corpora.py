"""Public traces of agents: what must be found there, and how often something is found that is not there."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lawful.extractors.port import ExtractionSpec, Extractor
from lawful.schemas.event import AgentMessage, ToolCall, ToolResult, UserMessage
from tests.extractors.support import PATIENT, extract

SPEC = ExtractionSpec(limits=PATIENT)
# What each argument of these tools is; every other argument is about no one.
TRUTH = {
    "user_id": "user.unique_id",
    "first_name": "user.name.first",
    "last_name": "user.name.last",
    "zip": "user.contact.address.postal_code",
    "address1": "user.contact.address.street",
    "address2": "user.contact.address.street",
    "city": "user.contact.address.city",
    "state": "user.contact.address.state",
    "country": "user.contact.address.country",
    "email": "user.contact.email",
    "dob": "user.demographic.date_of_birth",
}


def tool_calls(folder: Path, domain: str) -> Iterator[ToolCall]:
    """The calls that solve the tasks of a domain."""
    for task in json.loads((folder / "tau2" / domain / "tasks.json").read_text(encoding="utf-8")):
        for action in (task["evaluation_criteria"] or {}).get("actions") or []:
            yield ToolCall(action["name"], action["action_id"], json.dumps(action["arguments"]))


def expected(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Values and categories of arguments."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from expected(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from expected(item, key)
    elif key in TRUTH and value:
        yield key, TRUTH[key]


def test_tool_calls_of_a_shop_and_an_airline(shared_data: Path, extractor: Extractor) -> None:
    """All personal arguments are found with their category, and nothing else."""
    for domain in ("retail", "airline"):
        truth, found = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        for payload in tool_calls(shared_data, domain):
            truth.update(expected(json.loads(payload.arguments)))
            places = {(one.path, one.category) for one in extract(extractor, payload, SPEC).findings}
            found.update((path.rpartition("/")[2], category) for path, category in places)
        assert found == truth


def test_products_are_no_persons(shared_data: Path, extractor: Extractor) -> None:
    """A shop's whole catalogue holds no personal data."""
    products = json.loads((shared_data / "tau2" / "retail" / "db.json").read_text(encoding="utf-8"))["products"]
    for product in list(products.values())[:20]:
        assert extract(extractor, ToolResult("get_product_details", "c", json.dumps(product)), SPEC).findings == ()


def test_customers_introduce_themselves(shared_data: Path, extractor: Extractor) -> None:
    """Of the customers who give their names, nearly all are found, and hardly anything else is a person."""
    folder = shared_data / "tau2" / "retail"
    users = json.loads((folder / "db.json").read_text(encoding="utf-8"))["users"].values()
    names = {f"{user['name']['first_name']} {user['name']['last_name']}" for user in users}
    firsts = {user["name"]["first_name"] for user in users}
    given = missed = others = 0
    for task in json.loads((folder / "tasks.json").read_text(encoding="utf-8")):
        text = str(task["user_scenario"]["instructions"].get("known_info") or "")
        findings = extract(extractor, UserMessage(text), SPEC).findings
        found = {text[one.start : one.end] for one in findings if one.category == "user.name"}
        present = {name for name in names if name in text}
        given += len(present)
        missed += len(present - found)
        others += len(found - names - firsts)
    assert given > 50
    assert missed <= given // 20
    assert others <= 2


def test_negotiations_name_their_people_and_no_one_else(shared_data: Path, extractor: Extractor) -> None:
    """In logs of negotiating agents, only the people of the scenario are found."""
    for path in sorted((shared_data / "magpie").glob("*.json")):
        log = json.loads(path.read_text(encoding="utf-8"))
        text = json.dumps(log["scenario_data"])
        for message in log["conversation_log"]:
            content = message["content"] if isinstance(message["content"], str) else json.dumps(message["content"])
            findings = extract(extractor, AgentMessage(content), SPEC).findings
            assert {one.category for one in findings} <= {"user.name"}
            assert all(content[one.start : one.end] in text or one.path != "/text" for one in findings)


MUST = {
    "ssn": "user.government_id",
    "email": "user.contact.email",
    "phone": "user.contact.phone_number",
    "dob": "user.demographic.date_of_birth",
    "name": "user.name",
    "patient_name": "user.name",
    "address": "user.contact.address",
    "diagnosis": "user.health_and_medical",
    "salary": "user.financial",
    "credit_score": "user.financial",
    "insurance_id": "user.health_and_medical",
    "criminal_history": "user.criminal_history",
}
EMPTY = {"none", "canary_phone_epteeyjw"}  # the last is no phone number by any reading


def test_records_of_patients_employees_and_customers(shared_data: Path, extractor: Extractor) -> None:
    """In records with telling names, each named field is found."""
    lines = (shared_data / "agentleak" / "scenarios_base_100.jsonl").read_text(encoding="utf-8").splitlines()[:40]
    for fields in (record["fields"] for line in lines for record in json.loads(line)["private_vault"]["records"]):
        found = {
            (one.path, one.category) for one in extract(extractor, ToolResult("t", "c", json.dumps(fields))).findings
        }
        due = {key for key in MUST.keys() & fields.keys() if str(fields[key]).lower() not in EMPTY}
        assert due == {
            key
            for key in due
            for path, category in found
            if path == f"/content/{key}" and category.startswith(MUST[key])
        }
