"""A guard around an agent's tools, against a running `lawful up`.

Start `lawful up` first; this reads where it listens, and which file holds its key, from what it leaves in `.lawful/`.
"""

import json
import os
import sys
from pathlib import Path

from lawful.client import Blocked, Guard
from lawful.client.kafka import KafkaTransport
from lawful.schemas.pseudonym import Pseudonymiser

RUNNING = Path(os.environ.get("LAWFUL_DATA_DIR") or ".lawful") / "up.json"


def send_marketing_email(to: str, body: str) -> str:
    """Stands for a tool that really sends something."""
    return f"{len(body)} characters sent to {to}"


def main() -> None:
    """A customer agrees, gets mail, withdraws, and gets none."""
    if not RUNNING.exists():
        sys.exit("start `lawful up` first")
    running = json.loads(RUNNING.read_text())
    people = Pseudonymiser.from_file(running["key_file"])
    guard = Guard(KafkaTransport(running["settings"]["kafka.bootstrap"], people), agent="shop-bot", policy="shopper")
    mail = {"to": "carl@example.com", "body": "Boots at half price."}
    with guard, guard.session(subject=("customer_id", "carl_fox_5678")) as session:
        session.consent("marketing.communications")
        print(session.call("send_marketing_email", send_marketing_email, **mail))
        session.withdraw("marketing")
        try:
            session.call("send_marketing_email", send_marketing_email, **mail)
        except Blocked as blocked:
            print(blocked)


if __name__ == "__main__":
    main()
