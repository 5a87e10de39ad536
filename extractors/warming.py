"""What is loaded or worked out at first use, before the first event needs it: the first answer is not a late one."""

from dataclasses import replace
from typing import Final

from lawful.extractors.port import ExtractionSpec, Extractor, Limits
from lawful.schemas.event import AssistantMessage, ToolCall, ToolResult, UserMessage, unsent

_PLAIN: Final = (
    "Please ask Marcus Thorne, who lives in Berlin, about 4111 1111 1111 1111 or me@example.com. "
    "He was born on 4 May 1980."
)
_FOREIGN: Final = (
    "Ich heiße Jürgen Müller und wohne in der Goethestraße 7, 80331 München; "
    "meine IBAN ist DE89 3704 0044 0532 0130 00."
)
_SHOWN: Final = (
    UserMessage(_PLAIN),
    UserMessage(_FOREIGN),
    UserMessage(" ".join([_PLAIN] * 12)),  # long ones are searched in another way
    AssistantMessage(" ".join([_FOREIGN] * 12)),
    ToolCall(
        "send_newsletter", "warm-up", '{"to": {"email": "bWVAZXhhbXBsZS5jb20="}, "note": "me (at) example (dot) com"}'
    ),
    ToolResult(
        "find_patient", "warm-up", '{"patient": "Ana Ruiz", "diagnosis": "asthma", "phone": "+44 20 7946 0958"}'
    ),
)
_PATIENCE: Final = 60_000  # milliseconds


def warm(extractor: Extractor) -> None:
    """Shows an extractor what events are like; whatever fails in that fails again where it can be told."""
    spec = ExtractionSpec(limits=replace(Limits(), extraction_ms=_PATIENCE))
    for payload in _SHOWN:
        extractor.extract(unsent(payload, "warm-up"), spec)
