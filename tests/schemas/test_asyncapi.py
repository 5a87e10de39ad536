"""asyncapi.yaml says what topics.py and the schemas say, no more and no less."""

import json
from pathlib import Path
from typing import Any

import yaml

from lawful.schemas import reply
from lawful.schemas.catalogue import RECORDS, released, source_of, without
from lawful.schemas.names import CONTENT_TYPE, to_cloudevent_headers
from lawful.schemas.topics import TOPICS, Topic
from lawful.schemas.view import ReplyTo
from tests.schemas.samples import EVENT

ROOT = Path(__file__).parents[2]
DOCUMENT: dict[str, Any] = yaml.safe_load((ROOT / "asyncapi.yaml").read_text("utf-8"))
INBOX = f"{TOPICS.inbox_prefix}{{tenant}}.{{kind}}.{{id}}"
ASKED_FOR = (TOPICS.reply_topic("{client}"), TOPICS.outbox_topic(), TOPICS.inbox_topic(INBOX))
ALL: dict[str, Topic] = {topic.name: topic for topic in (*TOPICS.all(), *ASKED_FOR)}


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    """What a `$ref` within the document points to."""
    found: Any = DOCUMENT
    for step in node["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return resolved(found) if "$ref" in found else found


def test_the_document_is_asyncapi_3() -> None:
    """Version 3.0 has channels and operations apart, and replies."""
    assert DOCUMENT["asyncapi"] == "3.0.0"
    assert DOCUMENT["defaultContentType"] == CONTENT_TYPE


def test_channels_are_exactly_the_topics() -> None:
    """Every topic is described, and nothing else is."""
    assert sorted(channel["address"] for channel in DOCUMENT["channels"].values()) == sorted(ALL)


def test_channels_carry_the_topics_records_keys_and_settings() -> None:
    """Names of records, key, partitions and broker settings are equal."""
    for channel in DOCUMENT["channels"].values():
        topic = ALL[channel["address"]]
        settings = channel["bindings"]["kafka"]["topicConfiguration"]
        flat = {name: ",".join(value) if isinstance(value, list) else str(value) for name, value in settings.items()}
        names = [resolved(message)["name"] for message in channel["messages"].values()]
        assert names == [f"lawful.{RECORDS[value]}" for value in topic.values]
        assert (channel["x-key"], channel["x-partitions"]) == (topic.key, topic.partitions)
        assert flat == dict(topic.config)


def test_messages_are_exactly_the_schemas_in_their_latest_release() -> None:
    """Each message points to a self-contained file that is what this version writes."""
    messages = {message["name"]: message for message in DOCUMENT["components"]["messages"].values()}
    assert sorted(messages) == sorted(f"lawful.{record}" for record in RECORDS.values())
    for record in RECORDS.values():
        path = messages[f"lawful.{record}"]["payload"]["schema"]["$ref"]
        assert path == f"./schemas/avsc/released/{record}/v{released(record)[-1].version}.avsc"
        source = json.loads((ROOT / path).read_text("utf-8"))
        assert without(source, "doc") == without(source_of(record), "doc")


def test_headers_are_those_that_are_read_and_written() -> None:
    """The request's and the reply's headers have the names that the code uses."""
    schemas = DOCUMENT["components"]["schemas"]
    named = {value for name, value in vars(reply).items() if name.isupper() and isinstance(value, str)}
    events = {name for name, _ in to_cloudevent_headers(EVENT)} | {"ce_traceparent"}
    assert set(schemas["requestHeaders"]["properties"]) == named | events
    answer = dict(reply.reply_headers(ReplyTo("lawful.replies.x", None, b"c")))
    assert set(schemas["replyHeaders"]["properties"]) == set(answer)


def test_an_event_is_answered_on_the_reply_topic() -> None:
    """The operation that takes events names the header that says where its reply goes."""
    judge = DOCUMENT["operations"]["judge"]
    assert resolved(judge["channel"])["address"] == TOPICS.events
    assert judge["reply"]["address"]["location"] == f"$message.header#/{reply.REPLY_TOPIC}"
    assert resolved(judge["reply"]["channel"])["address"] == TOPICS.replies("{client}")


def test_every_reference_leads_somewhere() -> None:
    """No operation or channel points to something that is not there."""

    def references(node: Any) -> list[dict[str, Any]]:
        if isinstance(node, list):
            return [found for item in node for found in references(item)]
        if not isinstance(node, dict):
            return []
        return ([node] if "$ref" in node else []) + [found for value in node.values() for found in references(value)]

    for node in references(DOCUMENT):
        assert resolved(node) if node["$ref"].startswith("#/") else (ROOT / node["$ref"]).is_file()
