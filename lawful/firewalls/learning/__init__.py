"""Learning rules from demonstrations: a protocol's vocabulary from benign ones, an abstraction by contrast."""

from lawful.firewalls.learning.contrast import Granted, contrast
from lawful.firewalls.learning.demonstrations import Demonstration, Said, parse_demonstrations
from lawful.firewalls.learning.learn import Learned, learn
from lawful.firewalls.learning.vocabulary import LearnedField, LearnedRecord, learn_vocabulary
from lawful.firewalls.learning.writing import abstraction_yaml, protocol_yaml

__all__ = [
    "Demonstration",
    "Granted",
    "Learned",
    "LearnedField",
    "LearnedRecord",
    "Said",
    "abstraction_yaml",
    "contrast",
    "learn",
    "learn_vocabulary",
    "parse_demonstrations",
    "protocol_yaml",
]
