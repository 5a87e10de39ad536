"""The kinds of values that the corpus labels: what each is in our taxonomy, and in Presidio's entities."""

from dataclasses import dataclass
from typing import Final

from lawful.schemas.taxonomy import covered_by


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of personal value.

    Attributes:
        name: as templates call it.
        categories: a finding of one of these, or of what is below, names the kind rightly.
        entities: of Presidio's that name it rightly; generously read.
        is_phrase: a term in words of its own, of which finding the telling part is enough.
    """

    name: str
    categories: tuple[str, ...]
    entities: frozenset[str]
    is_phrase: bool = False

    def is_named_by(self, category: str) -> bool:
        """Whether a category, or an entity of Presidio's, is right for a value of this kind."""
        return category in self.entities or covered_by(category, self.categories)


_NATIONAL = "user.government_id.national_identification_number"
_IDS = "US_SSN US_ITIN UK_NINO ES_NIF ES_NIE IT_FISCAL_CODE PL_PESEL DE_TAX_ID DE_SOCIAL_SECURITY"
_ROWS: Final = (
    ("name", "user.name", "PERSON"),
    ("first_name", "user.name", "PERSON"),
    ("last_name", "user.name", "PERSON"),
    ("email", "user.contact.email", "EMAIL_ADDRESS"),
    ("phone", "user.contact.phone_number", "PHONE_NUMBER"),
    ("street", "user.contact.address", "LOCATION"),
    ("city", "user.contact.address", "LOCATION"),
    ("postal_code", "user.contact.address", "LOCATION"),
    ("dob", "user.demographic.date_of_birth", "DATE_TIME"),
    ("age", "user.demographic.age_range user.childrens", "DATE_TIME AGE"),
    ("card", "user.financial.credit_card", "CREDIT_CARD"),
    ("iban", "user.financial.bank_account", "IBAN_CODE"),
    ("bank_account", "user.financial.bank_account", "US_BANK_NUMBER"),
    ("salary", "user.financial", ""),
    ("wallet", "user.financial", "CRYPTO"),
    ("ssn", _NATIONAL, _IDS),
    ("nino", _NATIONAL, _IDS),
    ("nhs", "user.health_and_medical " + _NATIONAL, "UK_NHS"),
    ("de_tax_id", _NATIONAL, _IDS),
    ("de_social", _NATIONAL, _IDS),
    ("fr_nir", _NATIONAL, _IDS),
    ("fr_tax", _NATIONAL, _IDS),
    ("es_dni", _NATIONAL, _IDS),
    ("es_nie", _NATIONAL, _IDS),
    ("it_fiscal_code", _NATIONAL, _IDS),
    ("nl_bsn", _NATIONAL, _IDS),
    ("pl_pesel", _NATIONAL, _IDS),
    ("passport", "user.government_id.passport_number", "US_PASSPORT UK_PASSPORT"),
    ("licence", "user.government_id.drivers_license_number", "US_DRIVER_LICENSE"),
    ("plate", "user.government_id.vehicle_registration", "UK_VEHICLE_REGISTRATION"),
    ("ip", "user.device.ip_address", "IP_ADDRESS"),
    ("mac", "user.device.device_id", "MAC_ADDRESS"),
    ("imei", "user.device.device_id", ""),
    ("gps", "user.location", "LOCATION"),
    ("username", "user.account.username user.unique_id", ""),
    ("user_id", "user.unique_id user.account", ""),
    ("password", "user.authorization", ""),
    ("mrn", "user.health_and_medical", "MEDICAL_LICENSE MEDICAL_RECORD_NUMBER"),
    ("insurance_id", "user.health_and_medical", "US_MBI"),
    ("medication", "user.health_and_medical", ""),
    ("job", "user.job_title user.workplace", ""),
)
_PHRASES: Final = (
    ("condition", "user.health_and_medical", ""),
    ("religion", "user.demographic.religious_belief", "NRP"),
    ("politics", "user.demographic.political_opinion", "NRP"),
    ("orientation", "user.demographic.sexual_orientation", ""),
    ("ethnicity", "user.demographic.race_ethnicity", "NRP"),
    ("union", "user.lawful.trade_union_membership", ""),
    ("crime", "user.criminal_history", ""),
)
# What others' corpora label as well: told apart, since most of it is about nobody.
_OTHERS: Final = (
    ("date", "user.demographic.date_of_birth", "DATE_TIME"),
    ("place", "user.contact.address", "LOCATION"),
    ("organization", "user.contact.organization user.workplace", "ORGANIZATION"),
    ("title", "user.name", "TITLE"),
    ("group", "user.demographic", "NRP"),
    ("url", "user.contact.url", "URL"),
)


def _kind(name: str, categories: str, entities: str, *, is_phrase: bool = False) -> Kind:
    return Kind(name, tuple(categories.split()), frozenset(entities.split()), is_phrase)


KINDS: Final = {
    **{row[0]: _kind(*row) for row in (*_ROWS, *_OTHERS)},
    **{row[0]: _kind(*row, is_phrase=True) for row in _PHRASES},
}
"""Every kind by the name that templates use."""
OTHERS: Final = frozenset(row[0] for row in _OTHERS)
"""Kinds that our own corpus does not have."""


def names_any(what: str, wanted: tuple[str, ...]) -> bool:
    """Whether a category, or an entity of Presidio's, names something at or below one of the wanted categories."""
    if covered_by(what, wanted):
        return True
    named = (kind.categories for kind in KINDS.values() if what in kind.entities)
    return any(covered_by(own, wanted) or covered_by(one, (own,)) for owns in named for own in owns for one in wanted)
