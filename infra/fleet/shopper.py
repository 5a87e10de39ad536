"""A web shop's agents: service, marketing by consent, a partner programme, a curious analyst."""

from typing import Any

from lawful.infra.fleet.people import Crowd, Person
from lawful.infra.fleet.script import BLOCK, REDACT, Story, Telling

POLICY = "shopper"
_ITEMS = ("a mechanical keyboard", "a water bottle", "a desk lamp", "hiking boots", "a backpack", "wireless earbuds")


def _telling(agent: str, title: str, session: str, person: Person, *purposes: str) -> Telling:
    return Telling(title, POLICY, agent, session, (person.by_account,), purposes)


def _order(person: Person) -> str:
    return f"#W{person.number * 733 % 10_000_000:07}"


def _account(person: Person) -> dict[str, Any]:
    first, last = {"first_name": person.first}, {"last_name": person.last}
    address = {"address1": person.street, "city": person.city, "state": person.state, "zip": person.postcode}
    return {"user_id": person.user_id, "name": {**first, **last}, "address": address, "email": person.email}


def order_help(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """What a shop's agent does all day, and may."""
    ada = crowd.somebody()
    item = _ITEMS[ada.number % len(_ITEMS)]
    telling = _telling("shop-support", "a customer asks about an order", session, ada)
    telling.user(f"Hello, I ordered {item} and it has not arrived. My order is {_order(ada)}.")
    telling.calls("get_user_details", {"user_id": ada.user_id})
    telling.gets("get_user_details", _account(ada))
    telling.calls("get_order_details", {"order_id": _order(ada)})
    telling.gets("get_order_details", {"order_id": _order(ada), "user_id": ada.user_id, "status": "pending"})
    telling.says(f"Your order {_order(ada)} is still pending. Shall I cancel it?")
    telling.user("Yes, please cancel it, I no longer need it.")
    telling.calls("cancel_pending_order", {"order_id": _order(ada), "reason": "no longer needed"})
    telling.says("It is cancelled, and the money is on its way back.")
    return (telling.end(),)


def newsletter(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """Consent comes, covers, and goes."""
    ada = crowd.somebody()
    mail = {"to": ada.email, "subject": "New arrivals", "body": "This week: boots at half price."}
    telling = _telling("shop-marketing", "a newsletter, before, during and after consent", session, ada)
    telling.calls("send_marketing_email", mail, BLOCK)
    telling.consents("marketing.communications.email")
    telling.calls("send_marketing_email", mail)
    telling.calls("send_marketing_sms", {"phone": ada.phone, "body": "Boots at half price."}, BLOCK)
    telling.withdraws("marketing")
    telling.calls("send_marketing_email", mail, BLOCK)
    telling.consents("marketing.communications.email")
    telling.calls("send_marketing_email", mail)
    return (telling.end(),)


def short_consent(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """A consent that ends by time alone."""
    ada = crowd.somebody()
    mail = {"to": ada.email, "body": "Today only: free delivery."}
    telling = _telling("shop-marketing", "a consent runs out", session, ada)
    telling.consents("marketing.communications.email", expires_in_ms=4_000)
    telling.calls("send_marketing_email", mail)
    telling.calls("send_marketing_email", mail, BLOCK, pause_ms=4_300)
    return (telling.end(),)


def over_collection(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """More than the purposes need is asked for, sent and stored."""
    ada = crowd.somebody()
    telling = _telling("shop-support", "more data than needed", session, ada)
    telling.user(f"My card is {ada.card}, can you check whether you charged it twice?", REDACT)
    telling.says("I can see your order; there is no need to send me your card number.")
    telling.gets("get_user_details", {**_account(ada), "date_of_birth": ada.born}, REDACT)
    telling.calls("report_sales", {"month": "2025-05", "buyers": [ada.name, ada.email], "units": 12}, REDACT)
    telling.writes("customer", {"user_id": ada.user_id, "note": "prefers delivery in the evening"})
    return (telling.end(),)


def purpose_drift(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """What was collected for service turns into something else."""
    ada = crowd.somebody()
    telling = _telling("shop-analyst", "data drifts to other purposes", session, ada)
    telling.calls("recommend_products", {"user_id": ada.user_id}, BLOCK)
    telling.tells(
        "model-trainer", f"Use the chats of {ada.name} to tune the model.", BLOCK, purposes=["train_ai_system"]
    )
    telling.calls("export_profiles", {"user_id": ada.user_id, "email": ada.email}, BLOCK)
    telling.consents("personalize")
    telling.calls("recommend_products", {"user_id": ada.user_id})
    telling.calls("share_with_partner", {"partner": "bonus-club", "email": ada.email, "name": ada.name}, BLOCK)
    return (telling.end(),)


def erasure(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """One session erases; another agent, in another session, has to stop; bookkeeping goes on."""
    ada = crowd.somebody()
    desk = _telling("privacy-desk", "a customer demands erasure", f"{session}-a", ada)
    desk.calls("get_order_details", {"order_id": _order(ada)})
    desk.requests()
    desk.requests()
    later = _telling("shop-support", "another agent touches an erased customer", f"{session}-b", ada)
    later.calls("get_user_details", {"user_id": ada.user_id}, BLOCK)
    later.says(f"Dear {ada.name}, we have an offer for you.", BLOCK)
    later.calls("archive_invoice", {"order_id": _order(ada), "name": ada.name, "address": ada.address})
    later.consents("marketing.communications", expect=BLOCK)
    back = _telling("shop-support", "an erased customer comes back", f"{session}-c", ada)
    back.consents("marketing.communications", re_enrols=True)
    back.calls("get_user_details", {"user_id": ada.user_id})
    return desk.end(), later.end(), back.end()


def gift(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """One mail about two people, of whom one agreed: the strictest wins."""
    ada, ben = crowd.somebody(), crowd.somebody()
    agreed = _telling("shop-marketing", "one of two people agrees", f"{session}-a", ada)
    agreed.consents("marketing.communications.email")
    both = _telling("shop-marketing", "a mail about both", f"{session}-b", ada)
    mail = {"to": ada.email, "body": f"{ada.first} and {ben.first}, send each other a gift!"}
    both.calls("send_marketing_email", mail, BLOCK, also=[ben.by_account])
    other = _telling("shop-marketing", "the other one agrees too", f"{session}-c", ben)
    other.consents("marketing.communications.email")
    again = _telling("shop-marketing", "the same mail once more", f"{session}-d", ada)
    again.calls("send_marketing_email", mail, also=[ben.by_account])
    return agreed.end(), both.end(), other.end(), again.end()


def two_names(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """One person under an account and an address: what is withdrawn under one holds for the other."""
    ada = crowd.somebody()
    mail = {"to": ada.email, "body": "Members save ten per cent."}
    account = _telling("shop-marketing", "a customer agrees under the account", f"{session}-a", ada)
    account.consents("marketing.communications.email", identifiers=(ada.by_email,))
    account.calls("send_marketing_email", mail)
    address = Telling("the same person withdraws by mail", POLICY, "privacy-desk", f"{session}-b", (ada.by_email,))
    address.withdraws()
    after = _telling("shop-marketing", "the account has to know", f"{session}-c", ada)
    after.calls("send_marketing_email", mail, BLOCK)
    return account.end(), address.end(), after.end()


STORIES = (
    (order_help, 9),
    (newsletter, 5),
    (short_consent, 2),
    (over_collection, 5),
    (purpose_drift, 4),
    (erasure, 3),
    (gift, 2),
    (two_names, 2),
)
