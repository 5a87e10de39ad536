"""Runtime GDPR verdicts for fleets of AI agents, on Kafka.

The rooms of the project live at the top level of the repository (`schemas/`, `policies/`,
`extractors/`, `streams/`, `infra/`) and are imported through links from here, so that their
common names never collide with a user's own packages.
"""

from pathlib import Path

__version__ = "0.1.0"

# Where a checkout does not keep symbolic links, they arrive as small text files: look one folder up.
if not (Path(__file__).parent / "schemas").is_dir():
    __path__.append(str(Path(__file__).parent.parent))
