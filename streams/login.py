"""How workers log in to Kafka, in Faust's words.

Username and password over SASL (PLAIN, SCRAM) and TLS with or without a client certificate; what
Faust cannot do is refused by name instead of falling back to something weaker.
"""

import ssl
from typing import Any

from faust.auth import SASLCredentials

from lawful.schemas.errors import ConfigurationError

MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")


def credentials(protocol: str, mechanism: str, username: str, password: str, context: ssl.SSLContext | None) -> Any:
    """Faust's credentials object; `None` where TLS or nothing is enough.

    Raises:
        ConfigurationError: workers cannot log in this way.
    """
    if not protocol.startswith("SASL"):
        return None
    if mechanism not in MECHANISMS:
        raise ConfigurationError(
            f"workers cannot log in to Kafka with {mechanism or 'no mechanism'}",
            hint=f"set kafka.sasl_mechanism to one of {', '.join(MECHANISMS)}",
        )
    return SASLCredentials(username=username, password=password, mechanism=mechanism, ssl_context=context)
