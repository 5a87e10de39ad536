"""A hand-written agent loop: its tools guarded in one line."""

from local import MAIL, SHOPPER, get_user_details, send_marketing_email, transport

from lawful.adapters.functions import guarded
from lawful.client import Blocked, Guard


def main(guard: Guard) -> None:
    """A look-up comes back without what the purpose does not need; an offer without consent is not sent."""
    look_up, offer = guarded(guard, [get_user_details, send_marketing_email])
    with guard.session(subject=("customer_id", SHOPPER)):
        print(look_up(user_id=SHOPPER))
        try:
            print(offer(**MAIL))
        except Blocked as blocked:
            print(blocked)


if __name__ == "__main__":
    with Guard(transport(), agent="shop-bot", policy="shopper") as guard:
        main(guard)
