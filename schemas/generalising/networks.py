"""IP addresses, to the network that they are in."""

from ipaddress import ip_network
from typing import Final

_BITS: Final = {4: 24, 6: 48}


def network(text: str) -> str | None:
    """The network of an address: 256 addresses in version 4, a site's in version 6."""
    try:
        found = ip_network(text.strip(), strict=False)
    except ValueError:
        return None
    bits = _BITS[found.version]
    return str(found if found.prefixlen <= bits else found.supernet(new_prefix=bits))
