"""Log lines of long-running processes: to standard error, with time and level, never with content."""

import logging
import sys


def begin(level: str) -> None:
    """Set up logging for a worker or a writer.

    Args:
        level: `debug`, `info`, `warning` or `error`; it changes no verdict.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
