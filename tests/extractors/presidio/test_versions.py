"""Numbers of four parts: addresses of devices, unless something says that they are versions."""

import pytest

from lawful.extractors.port import Extractor
from lawful.schemas.event import Payload, UserMessage
from tests.extractors.support import call, extract


@pytest.mark.parametrize(
    ("payload", "count"),
    [
        (UserMessage("after the update, a login from 10.4.0.1"), 1),
        (UserMessage("build host 10.4.0.1"), 1),
        (UserMessage("10.4.0.1 got the new version"), 1),
        (UserMessage("Version 10.4.0.1"), 0),
        (UserMessage("upgrade from 10.4.0.1 to 10.4.0.2"), 0),
        (UserMessage("mise à jour 10.4.0.1"), 0),
        (UserMessage("versions 10.4.0.1, 10.4.0.2 and 10.4.0.3"), 0),
        (UserMessage("Version no. 10.4.0.1"), 0),
        (UserMessage("ver. 10.4.0.1"), 0),
        (UserMessage("Version:\n10.4.0.1"), 0),
        (UserMessage("this is version 1.2.3\n10.4.0.1"), 1),
        (UserMessage("this is version 1.2.3\r10.4.0.1"), 1),
        (UserMessage("this is version 1.2.3. 10.4.0.1 asked for it"), 1),
        (UserMessage("version 1.2.3, asked for by 10.4.0.1"), 1),
        (call({"client_ip": "10.4.0.1"}), 1),
        (call({"origin": "10.4.0.1"}), 1),
        (call({"app_version": "10.4.0.1", "firmware": "1.2.3.4"}), 0),
    ],
)
def test_words_and_names_of_fields_tell_versions(extractor: Extractor, payload: Payload, count: int) -> None:
    """A word for an address beside it outweighs one for a version."""
    findings = extract(extractor, payload).findings
    assert len({one.path for one in findings if one.category == "user.device.ip_address"}) == count
