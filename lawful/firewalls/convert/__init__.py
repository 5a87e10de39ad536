"""From prose to candidates: the port, the extractor that is there by default, and a language model as an option."""

from lawful.firewalls.convert.extractor import Extractor
from lawful.firewalls.convert.model import ModelConverter
from lawful.firewalls.convert.port import Candidate, Conversion, Converter

__all__ = ["Candidate", "Conversion", "Converter", "Extractor", "ModelConverter"]
