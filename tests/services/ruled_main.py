"""The tests' worker with the medagent pack, and the same with an hour of five seconds."""

from dataclasses import replace

from lawful.policies.load import load_pack, pack_folder, parse_policy
from lawful.policies.model import Policy
from lawful.policies.policyset import PolicySet
from lawful.streams.kernel import Kernel
from tests.services.worker_main import main
from tests.streams.kit import KERNEL, PlainExtractor

BRISK = "brisk"
SECONDS = 5


def brisk() -> Policy:
    """The medagent pack, in a hurry."""
    text = (pack_folder("medagent") / "policy.yaml").read_text(encoding="utf-8")
    return parse_policy(text.replace("[0,1h]", f"[0,{SECONDS}s]").replace("id: medagent", f"id: {BRISK}"))


def ruled() -> Kernel:
    """A kernel for both."""
    return replace(
        KERNEL, policies=PolicySet.of([load_pack("medagent"), brisk()], "medagent"), extractor=PlainExtractor()
    )


if __name__ == "__main__":
    main(ruled())
