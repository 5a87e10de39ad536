"""Two firewalls between agents: a closed protocol for what comes in, abstraction for what goes out."""

from lawful.firewalls.convert import Candidate, Conversion, Converter, Extractor, ModelConverter
from lawful.firewalls.files import load_protocol
from lawful.firewalls.incoming import Admitted, Incoming
from lawful.firewalls.parse_protocol import parse_protocol
from lawful.firewalls.protocol import TaskProtocol
from lawful.firewalls.session import FirewallSession
from lawful.firewalls.values import Dropped, Reason

__all__ = [
    "Admitted",
    "Candidate",
    "Conversion",
    "Converter",
    "Dropped",
    "Extractor",
    "FirewallSession",
    "Incoming",
    "ModelConverter",
    "Reason",
    "TaskProtocol",
    "load_protocol",
    "parse_protocol",
]
