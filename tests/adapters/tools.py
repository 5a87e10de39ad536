"""The tools that every adapter's agent has; they note what reached them."""

from tests.streams.kit import ADA

PHONE = "+441234567"
HIDDEN = "[user.contact.phone_number]"
NOTE = f"call {PHONE}"
SEEN = f"call {HIDDEN}"
WHO = ADA


class Desk:
    """What the tools did."""

    def __init__(self) -> None:
        self.got: list[str] = []

    def find_order(self, note: str) -> str:
        """Finds an order."""
        self.got.append(note)
        return f"1 order; {NOTE}"

    def send_mail(self, note: str) -> str:
        """Sends mail, for which there is no consent."""
        self.got.append(note)
        return "sent"
