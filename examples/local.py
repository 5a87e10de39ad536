"""What the other examples run on: verdicts in this process, under a key that ends with it."""

import os
import secrets

from lawful.client import Transport
from lawful.infra.compose_root import in_process
from lawful.infra.settings_load import load_settings

SHOPPER = "carl_fox_5678"
MAIL = {"to": "carl@example.com", "body": "Boots at half price."}


def transport() -> Transport:
    """All packs, the real extraction, no Kafka."""
    return in_process(load_settings({"LAWFUL_PSEUDONYM_KEY": secrets.token_hex(16), **os.environ}))


def get_user_details(user_id: str) -> str:
    """Stands for a tool that returns more than the agent needs."""
    return f'{{"user_id": "{user_id}", "name": "Carl Fox", "date_of_birth": "1990-02-03"}}'


def send_marketing_email(to: str, body: str) -> str:
    """Stands for a tool that really sends something."""
    return f"{len(body)} characters sent to {to}"
