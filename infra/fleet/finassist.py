"""A bank's agents: accounts, transfers, know-your-customer, offers; what the law keeps survives."""

from lawful.infra.fleet.people import Crowd, Person
from lawful.infra.fleet.script import BLOCK, REDACT, Story, Telling

POLICY = "finassist"
# The IBANs that the registry of ISO 13616 prints as examples.
_IBANS = ("DE89 3704 0044 0532 0130 00", "GB29 NWBK 6016 1331 9268 19", "NL91 ABNA 0417 1643 00")


def _telling(agent: str, title: str, session: str, person: Person) -> Telling:
    return Telling(title, POLICY, agent, session, (person.by_customer_no,))


def account(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """Balances, transactions and a transfer to somebody else."""
    ada, ben = crowd.somebody(), crowd.somebody()
    telling = _telling("bank-support", "a customer transfers money", session, ada)
    telling.user("What did I spend on my account this month?")
    telling.calls("lookup_account", {"customer_id": ada.customer_no})
    telling.gets("lookup_account", {"customer_id": ada.customer_no, "name": ada.name, "account_number": ada.account_no})
    telling.calls("list_transactions", {"account_number": ada.account_no})
    telling.says("You spent 412.30 on groceries and 60.00 on trains.")
    telling.calls(
        "transfer",
        {
            "from_account": ada.account_no,
            "to_iban": _IBANS[ada.number % len(_IBANS)],
            "to_name": ben.name,
            "amount": 120.0,
            "reference": "rent",
        },
    )
    telling.says("The transfer is on its way.")
    return (telling.end(),)


def identity(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """The law wants to know the customer; support does not need to."""
    ada = crowd.somebody()
    ssn = f"{ada.number % 500 + 100:03}-{ada.number % 89 + 10:02}-{ada.number:04}"
    telling = _telling("kyc-agent", "a customer is identified", session, ada)
    telling.calls(
        "verify_identity",
        {"customer_id": ada.customer_no, "name": ada.name, "dob": ada.born, "address": ada.address},
    )
    telling.calls("archive_kyc_file", {"customer_id": ada.customer_no})
    telling.user(f"My social security number is {ssn}, is my loan approved?", REDACT)
    telling.calls("assess_credit", {"customer_id": ada.customer_no})
    telling.says("We will let you know tomorrow.")
    return (telling.end(),)


def bureau(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """A credit bureau keeps the inquiry: that takes consent."""
    ada = crowd.somebody()
    inquiry = {"name": ada.name, "dob": ada.born, "address": ada.address}
    telling = _telling("loan-agent", "a credit bureau is asked", session, ada)
    telling.calls("assess_credit", {"customer_id": ada.customer_no})
    telling.calls("query_credit_bureau", inquiry, BLOCK)
    telling.consents("finance.bureau_sharing")
    telling.calls("query_credit_bureau", inquiry)
    telling.calls("send_offer", {"to": ada.email, "body": "A loan at 3 per cent."}, BLOCK)
    return (telling.end(),)


def offers(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """Marketing by consent, by the channel that was agreed."""
    ada = crowd.somebody()
    telling = _telling("bank-marketing", "offers by mail and by phone", session, ada)
    telling.consents("marketing.communications.email")
    telling.calls("send_offer", {"to": ada.email, "body": "A savings plan at 2 per cent."})
    telling.calls("call_with_offer", {"phone": ada.phone, "offer": "gold card"}, BLOCK)
    telling.withdraws("marketing")
    telling.calls("send_offer", {"to": ada.email, "body": "A savings plan at 2.5 per cent."}, BLOCK)
    telling.calls("lookup_account", {"customer_id": ada.customer_no})
    return (telling.end(),)


def erasure(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """Money-laundering law outlives an erasure, marketing does not."""
    ada = crowd.somebody()
    desk = _telling("privacy-desk", "a customer demands erasure", f"{session}-a", ada)
    desk.calls("lookup_account", {"customer_id": ada.customer_no})
    desk.requests()
    later = _telling("bank-support", "another agent touches an erased customer", f"{session}-b", ada)
    later.calls("lookup_account", {"customer_id": ada.customer_no}, BLOCK)
    later.calls("archive_kyc_file", {"customer_id": ada.customer_no})
    later.calls("screen_transaction", {"customer_id": ada.customer_no, "name": ada.name, "amount": 9_900})
    later.calls("call_with_offer", {"phone": ada.phone, "offer": "gold card"}, BLOCK)
    return desk.end(), later.end()


def drift(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """What was said in confidence becomes a score."""
    ada = crowd.somebody()
    telling = _telling("bank-support", "a chat becomes a score", session, ada)
    telling.tells(
        "insurance-agent",
        f"{ada.name} asked about a loan; price the policy higher.",
        BLOCK,
        purposes=["insurance.pricing"],
    )
    telling.calls("scrape_social_media", {"name": ada.name, "email": ada.email}, BLOCK)
    telling.calls("lookup_account", {"customer_id": ada.customer_no})
    return (telling.end(),)


STORIES = ((account, 7), (identity, 4), (bureau, 4), (offers, 4), (erasure, 3), (drift, 4))
