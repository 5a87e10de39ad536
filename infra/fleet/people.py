"""Made-up people: names, addresses and numbers that belong to nobody.

Mail goes to example.com (RFC 2606), phone numbers are from the range kept for fiction.
"""

from dataclasses import dataclass
from random import Random

from lawful.schemas.event import Identifier

_FIRST = (
    "Ada", "Amir", "Beatrix", "Carlos", "Chiara", "Dmitri", "Elena", "Farah", "Goran", "Hanna", "Ines", "Jonas",
    "Kavita", "Lars", "Maren", "Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Sven", "Tomas", "Ursula", "Viktor",
    "Wanda", "Yara", "Zoltan", "Mateo", "Leila", "Hugo",
)  # fmt: skip
_LAST = (
    "Albrecht", "Bianchi", "Castillo", "Dvorak", "Eriksen", "Fontaine", "Grabowski", "Haddad", "Ivanova", "Jansen",
    "Kowalski", "Lindqvist", "Moreau", "Novak", "Okafor", "Petersen", "Quintero", "Ricci", "Sharma", "Tanaka",
    "Urban", "Vasquez", "Weber", "Yilmaz", "Zimmer",
)  # fmt: skip
_STREETS = ("Maple Avenue", "Harbour Street", "Mill Lane", "Station Road", "Chestnut Drive", "Bridge Street")
_CITIES = (("Denver", "CO", "80280"), ("Seattle", "WA", "98178"), ("Chicago", "IL", "60632"), ("Boston", "MA", "02108"))
# Card numbers that payment processors publish for tests; none was ever issued.
_CARDS = ("4111 1111 1111 1111", "5555 5555 5555 4444", "4012 8888 8888 1881", "3782 822463 10005")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who does not exist."""

    first: str
    last: str
    number: int
    phone: str
    street: str
    city: str
    state: str
    postcode: str
    born: str
    card: str

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first} {self.last}"

    @property
    def email(self) -> str:
        """An address that no mail reaches."""
        return f"{self.first}.{self.last}{self.number % 1000}@example.com".lower()

    @property
    def user_id(self) -> str:
        """The account name that shops and airlines know."""
        return f"{self.first}_{self.last}_{self.number}".lower()

    @property
    def address(self) -> str:
        """Street, city, state and postcode in one line."""
        return f"{self.street}, {self.city}, {self.state} {self.postcode}"

    @property
    def by_email(self) -> Identifier:
        """The person, by mail address."""
        return Identifier("email", self.email)

    @property
    def by_account(self) -> Identifier:
        """The person, by the account name that shops and airlines know them under."""
        return Identifier("customer_id", self.user_id)

    @property
    def patient_id(self) -> str:
        """The number that a clinic gives."""
        return f"P-{self.number:06}"

    @property
    def by_patient_id(self) -> Identifier:
        """The person, by a clinic's number."""
        return Identifier("patient_id", self.patient_id)

    @property
    def customer_no(self) -> str:
        """The number that a bank gives."""
        return f"CU{self.number:08}"

    @property
    def account_no(self) -> str:
        """The number of an account at that bank."""
        return f"AC-{self.number * 7919 % 100_000_000:08}"

    @property
    def by_customer_no(self) -> Identifier:
        """The person, by a bank's number."""
        return Identifier("customer_id", self.customer_no)


class Crowd:
    """Draws people, never the same number twice.

    Args:
        random: the only source of chance.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._numbers = list(range(1000, 10_000))
        random.shuffle(self._numbers)

    def somebody(self) -> Person:
        """The next person."""
        pick = self._random.choice
        city, state, postcode = pick(_CITIES)
        year, month, day = (self._random.randrange(*span) for span in ((1950, 2003), (1, 13), (1, 29)))
        return Person(
            first=pick(_FIRST),
            last=pick(_LAST),
            number=self._numbers.pop(),
            phone=f"+1 202 555 01{self._random.randrange(100):02}",
            street=f"{self._random.randrange(10, 990)} {pick(_STREETS)}",
            city=city,
            state=state,
            postcode=postcode,
            born=f"{year}-{month:02}-{day:02}",
            card=pick(_CARDS),
        )
