"""A clinic's agents: care may use health data, outreach and research need an explicit consent."""

from lawful.infra.fleet.people import Crowd, Person
from lawful.infra.fleet.script import BLOCK, REDACT, Story, Telling

POLICY = "medagent"
_HEALTH = ("user.name", "user.contact", "user.unique_id", "user.health_and_medical")
_CASES = (
    ("type 2 diabetes", "metformin", "500 mg"),
    ("hypertension", "lisinopril", "10 mg"),
    ("asthma", "salbutamol", "100 micrograms"),
    ("migraine", "sumatriptan", "50 mg"),
)


def _telling(agent: str, title: str, session: str, person: Person) -> Telling:
    return Telling(title, POLICY, agent, session, (person.by_patient_id,))


def care(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """Diagnosis and treatment, with health data throughout: that is what care is for."""
    ada = crowd.somebody()
    illness, drug, dose = _CASES[ada.number % len(_CASES)]
    record = {"patient_id": ada.patient_id, "name": ada.name, "dob": ada.born, "diagnosis": illness}
    telling = _telling("ward-agent", "a patient is treated", session, ada)
    telling.calls("query_record", {"patient_id": ada.patient_id})
    telling.gets("query_record", record)
    telling.calls("get_lab_results", {"patient_id": ada.patient_id})
    telling.calls("prescribe", {"patient_id": ada.patient_id, "medication": drug, "dose": dose})
    telling.tells("pharmacy-agent", f"{ada.patient_id} has {illness}; please prepare {drug} {dose}.")
    telling.calls(
        "refer_to_specialist", {"patient_id": ada.patient_id, "specialist": "internal medicine", "reason": illness}
    )
    telling.writes("ward-round", {"patient_id": ada.patient_id, "finding": f"{illness}, stable"})
    return (telling.end(),)


def outreach(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """A consent that does not name health does not cover it."""
    ada = crowd.somebody()
    illness = _CASES[ada.number % len(_CASES)][0]
    invitation = {"patient": ada.patient_id, "phone": ada.phone, "text": f"A course for people with {illness}."}
    telling = _telling("outreach-agent", "an invitation, by degrees of consent", session, ada)
    telling.calls("query_record", {"patient_id": ada.patient_id})
    telling.calls("query_record", {"patient_id": ada.patient_id})
    telling.calls("send_outreach", invitation, BLOCK)
    telling.consents("healthcare.outreach")
    telling.calls("send_outreach", invitation, BLOCK)
    telling.consents("healthcare.outreach", categories=_HEALTH)
    telling.calls("send_outreach", invitation)
    telling.withdraws("healthcare.outreach")
    telling.calls("send_outreach", invitation, BLOCK)
    return (telling.end(),)


def billing(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """An insurer needs numbers, not diagnoses; a reminder needs no illness."""
    ada = crowd.somebody()
    illness = _CASES[ada.number % len(_CASES)][0]
    telling = _telling("billing-agent", "a bill says too much", session, ada)
    telling.calls("schedule_appointment", {"patient_id": ada.patient_id, "date": "2025-06-11"})
    telling.calls(
        "bill_insurer",
        {"patient_id": ada.patient_id, "insurance_no": f"A{ada.number:09}", "amount": 84.2, "diagnosis": illness},
        REDACT,
    )
    telling.calls("send_reminder", {"phone": ada.phone, "text": "Your appointment is tomorrow at nine."})
    telling.calls("send_reminder", {"phone": ada.phone, "text": f"Your {illness} check is tomorrow at nine."}, REDACT)
    return (telling.end(),)


def research(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """A study may have findings of those who agreed, and no names."""
    ada = crowd.somebody()
    illness = _CASES[ada.number % len(_CASES)][0]
    telling = _telling("research-agent", "findings for a study", session, ada)
    telling.calls("export_research_data", {"study_id": "DM-17", "diagnosis": illness}, BLOCK)
    telling.consents("research.studies", categories=("user.health_and_medical",))
    telling.calls("export_research_data", {"study_id": "DM-17", "diagnosis": illness})
    telling.calls(
        "export_research_data",
        {"study_id": "DM-17", "name": ada.name, "email": ada.email, "diagnosis": illness},
        REDACT,
    )
    telling.tells("ad-network", f"{ada.patient_id} has {illness}.", BLOCK, purposes=["marketing.advertising"])
    return (telling.end(),)


def erasure(crowd: Crowd, session: str) -> tuple[Story, ...]:
    """The treatment record has to be kept; nothing else may be done."""
    ada = crowd.somebody()
    desk = _telling("privacy-desk", "a patient demands erasure", f"{session}-a", ada)
    desk.calls("query_record", {"patient_id": ada.patient_id})
    desk.requests()
    later = _telling("ward-agent", "another agent touches an erased patient", f"{session}-b", ada)
    later.calls("get_lab_results", {"patient_id": ada.patient_id}, BLOCK)
    later.calls("archive_record", {"patient_id": ada.patient_id})
    stranger = crowd.somebody()
    mistaken = _telling("privacy-desk", "someone the clinic never saw demands erasure", f"{session}-c", stranger)
    mistaken.requests()
    return desk.end(), later.end(), mistaken.end()


STORIES = ((care, 7), (outreach, 5), (billing, 4), (research, 4), (erasure, 3))
