"""What the server writes of its requests."""

import logging


class RefusalsInALine(logging.Filter):
    """A page that is refused (403, 404, 409, 422) is no fault of the server: one line without a traceback.

    What Django logs of a request has its ``status_code``; whatever has none keeps what it came with.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True
