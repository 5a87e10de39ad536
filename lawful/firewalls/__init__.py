"""Two firewalls between agents: a closed protocol for what comes in, abstraction for what goes out."""

from lawful.firewalls.abstraction import Abstraction
from lawful.firewalls.convert import Candidate, Conversion, Converter, Extractor, ModelConverter
from lawful.firewalls.files import load_abstraction, load_protocol, pack_names
from lawful.firewalls.incoming import Admitted, Incoming
from lawful.firewalls.outgoing import Outgoing, Released
from lawful.firewalls.parse_abstraction import parse_abstraction
from lawful.firewalls.parse_protocol import parse_protocol
from lawful.firewalls.population import Population, load_population, population
from lawful.firewalls.protocol import TaskProtocol
from lawful.firewalls.session import FirewallSession
from lawful.firewalls.values import Dropped, Reason

__all__ = [
    "Abstraction",
    "Admitted",
    "Candidate",
    "Conversion",
    "Converter",
    "Dropped",
    "Extractor",
    "FirewallSession",
    "Incoming",
    "ModelConverter",
    "Outgoing",
    "Population",
    "Reason",
    "Released",
    "TaskProtocol",
    "load_abstraction",
    "load_population",
    "load_protocol",
    "pack_names",
    "parse_abstraction",
    "parse_protocol",
    "population",
]
