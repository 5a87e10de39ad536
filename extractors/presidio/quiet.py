"""What keeps Presidio off the network and out of the logs, in this process."""

import logging

import tldextract


def keep_quiet() -> None:
    """The public-suffix list comes from the package, and nothing that is read is logged."""
    tldextract.tldextract.TLD_EXTRACTOR.suffix_list_urls = ()
    logger = logging.getLogger("presidio-analyzer")
    if not any(isinstance(one, _Withhold) for one in logger.filters):
        logger.addFilter(_Withhold())


class _Withhold(logging.Filter):
    """Lets warnings through as the place they come from, and nothing else.

    Presidio logs what it reads: context words, and texts that fail a checksum.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record passes, without its message."""
        record.msg, record.args = f"message withheld ({record.module}:{record.lineno})", ()
        record.exc_info = record.exc_text = None
        return record.levelno >= logging.WARNING
