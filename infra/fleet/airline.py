"""An airline's agents: bookings, changes, claims, assistance, offers; excess data only warns here."""

from lawful.infra.fleet.people import Crowd, Person
from lawful.infra.fleet.script import BLOCK, WARN, Story, Telling

POLICY = "airline"
_HEALTH = ("user.health_and_medical",)


def _telling(agent: str, title: str, session: str, person: Person) -> Telling:
    return Telling(title, POLICY, agent, session, (person.by_account,))


def _reservation(person: Person) -> str:
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
    return f"{letters[person.number % 24]}{letters[person.number // 7 % 24]}{person.number:04}"


def booking(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """A flight is looked for, booked and changed."""
    ada = crowd.somebody()
    passengers = [{"first_name": ada.first, "last_name": ada.last, "dob": ada.born}]
    telling = _telling("air-booking", "a traveller books and changes a flight", session, ada)
    telling.user("I would like to fly from Denver to Seattle on the third of June, economy.")
    telling.calls("get_user_details", {"user_id": ada.user_id})
    telling.calls("search_direct_flight", {"origin": "DEN", "destination": "SEA", "date": "2025-06-03"})
    telling.calls(
        "book_reservation",
        {
            "user_id": ada.user_id,
            "origin": "DEN",
            "destination": "SEA",
            "flights": [{"flight_number": "HAT045", "date": "2025-06-03"}],
            "passengers": passengers,
            "payment_methods": [{"payment_id": f"credit_card_{ada.number:07}", "amount": 210}],
        },
    )
    telling.says(f"Booked: your reservation is {_reservation(ada)}.")
    telling.calls("get_reservation_details", {"reservation_id": _reservation(ada)})
    telling.calls("update_reservation_passengers", {"reservation_id": _reservation(ada), "passengers": passengers})
    return (telling.end(),)


def unasked(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """Travellers send what nobody asked for: this airline wants to know how often before it redacts."""
    ada = crowd.somebody()
    telling = _telling("air-support", "a traveller sends more than needed", session, ada)
    telling.user(f"Here is my card again, {ada.card}, in case you need it.", WARN)
    telling.calls("get_reservation_details", {"reservation_id": _reservation(ada)})
    telling.says("Thank you, your reservation is fine; please do not send card numbers in the chat.")
    return (telling.end(),)


def assistance(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """A wheelchair says something about health: it takes an explicit consent that names it."""
    ada = crowd.somebody()
    need = {"reservation_id": _reservation(ada), "need": "wheelchair to the gate, she has multiple sclerosis"}
    telling = _telling("air-support", "a traveller needs assistance", session, ada)
    telling.calls("request_assistance", need, BLOCK)
    telling.consents("essential.service.operations.assistance", categories=_HEALTH)
    telling.calls("request_assistance", need)
    telling.says("A wheelchair will be waiting at the gate.")
    return (telling.end(),)


def offers(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """Offers and the hotel portal, each by its own consent."""
    ada = crowd.somebody()
    trip = {"name": ada.name, "email": ada.email, "reservation_id": _reservation(ada)}
    telling = _telling("air-offers", "offers and a hotel portal", session, ada)
    telling.consents("marketing.communications.email")
    telling.calls("send_offer", {"to": ada.email, "body": "Two for one to Lisbon."})
    telling.calls("share_with_hotel_portal", trip, BLOCK)
    telling.consents("third_party_sharing.hotels")
    telling.calls("share_with_hotel_portal", trip)
    telling.withdraws()
    telling.calls("send_offer", {"to": ada.email, "body": "Two for one to Porto."}, BLOCK)
    telling.calls("get_reservation_details", {"reservation_id": _reservation(ada)})
    return (telling.end(),)


def erasure(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """A traveller is erased; what border law makes the airline keep survives."""
    ada = crowd.somebody()
    desk = _telling("privacy-desk", "a traveller demands erasure", f"{session}-a", ada)
    desk.calls("get_reservation_details", {"reservation_id": _reservation(ada)})
    desk.requests()
    later = _telling("air-booking", "another agent touches an erased traveller", f"{session}-b", ada)
    later.calls("get_reservation_details", {"reservation_id": _reservation(ada)}, BLOCK)
    later.calls("file_passenger_record", {"name": ada.name, "dob": ada.born, "reservation_id": _reservation(ada)})
    return desk.end(), later.end()


def drift(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """An agent tells another what the policy has no purpose for."""
    ada = crowd.somebody()
    telling = _telling("air-support", "complaints become a profile", session, ada)
    telling.user("My flight was late again and I missed my meeting, this is the third time.")
    telling.tells(
        "air-pricing",
        f"{ada.name} ({ada.user_id}) complains a lot: raise the fare.",
        BLOCK,
        purposes=["personalize.pricing"],
    )
    telling.calls("score_loyalty", {"user_id": ada.user_id}, BLOCK)
    return (telling.end(),)


STORIES = ((booking, 7), (unasked, 5), (assistance, 4), (offers, 4), (erasure, 3), (drift, 4))
