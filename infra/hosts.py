"""Names of machines: whether what is sent there leaves this one. Asked by doctor, and before anything is compressed."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether this stays on the machine."""
    bare = host.strip("[]")
    try:
        return ipaddress.ip_address(bare).is_loopback
    except ValueError:
        return bare in {"", "localhost"}
