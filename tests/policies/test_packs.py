"""The packs know the tools of the public benchmarks that they are named after."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lawful.policies.load import load_pack, pack_folder, pack_names

ORDINARY = {
    "shopper": [
        "find_user_id_by_email",
        "find_user_id_by_name_zip",
        "get_user_details",
        "get_order_details",
        "get_product_details",
        "get_item_details",
        "list_all_product_types",
        "cancel_pending_order",
        "modify_pending_order_address",
        "modify_pending_order_items",
        "modify_pending_order_payment",
        "modify_user_address",
        "exchange_delivered_order_items",
        "return_delivered_order_items",
        "transfer_to_human_agents",
        "calculate",
        "think",
    ],
    "airline": [
        "get_user_details",
        "get_reservation_details",
        "search_direct_flight",
        "search_onestop_flight",
        "list_all_airports",
        "get_flight_status",
        "book_reservation",
        "update_reservation_flights",
        "update_reservation_passengers",
        "update_reservation_baggages",
        "cancel_reservation",
        "send_certificate",
        "transfer_to_human_agents",
        "calculate",
        "think",
    ],
}


@pytest.mark.parametrize("name", ORDINARY)
def test_the_benchmarks_tools_need_no_consent(name: str) -> None:
    """Ordinary service rests on the contract."""
    policy = load_pack(name)
    for tool in ORDINARY[name]:
        rules = [policy.rule(purpose) for purpose in policy.purposes_of_tool(tool)]
        assert rules, tool
        assert not any(rule is None or rule.by_consent for rule in rules), tool


@pytest.mark.parametrize(("name", "domain"), [("shopper", "retail"), ("airline", "airline")])
def test_the_benchmarks_calls_fit_the_schemas(name: str, domain: str, shared_data: Path) -> None:
    """Every call of the public tasks is of a declared tool, with arguments its schema accepts."""
    file = shared_data / "tau2" / domain / "tasks.json"
    policy = load_pack(name)
    for action in _actions(json.loads(file.read_text())):
        schema = policy.tools[action["name"]].schema
        if schema is not None:
            jsonschema.validate(action["arguments"], schema)


def _actions(tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [action for task in tasks for action in (task.get("evaluation_criteria") or {}).get("actions") or []]


@pytest.mark.parametrize("name", pack_names())
def test_a_pack_is_a_folder_of_two_files(name: str) -> None:
    """A policy, and the cases beside it."""
    assert sorted(file.name for file in pack_folder(name).iterdir()) == ["golden.yaml", "policy.yaml"]
    assert load_pack(name).id == name
