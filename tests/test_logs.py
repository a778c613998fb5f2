"""The log: faults of the server with their traceback, refused pages in one line."""

import logging
import sys

import pytest

from config.logs import RefusalsInALine


def logged(status):
    try:
        raise PermissionError("no")
    except PermissionError:
        record = logging.LogRecord("django.request", logging.WARNING, "", 0, "Forbidden", (), sys.exc_info())
    if status:
        record.status_code = status
    assert RefusalsInALine().filter(record)
    return logging.Formatter().format(record)


@pytest.mark.parametrize("status", [400, 403, 404, 409, 422])
def test_a_refused_page_is_a_line(status):
    assert logged(status) == "Forbidden"


@pytest.mark.parametrize("status", [500, None])
def test_a_fault_keeps_its_traceback(status):
    assert "PermissionError: no" in logged(status)


def test_every_handler_looks_at_it(settings):
    assert all("refusals" in handler["filters"] for handler in settings.LOGGING["handlers"].values())
