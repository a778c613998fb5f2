"""Which addresses the server speaks to, and that no name leads it to another."""

from __future__ import annotations

import socket

import pytest

from apps.webhooks.posting import Line, NotAllowed, NotSent, addresses_of, allowed_host

PUBLIC = "93.184.215.14"


@pytest.fixture
def names(monkeypatch):
    """A name service of the test's own."""
    known: dict[str, list[str]] = {}

    def look_up(host, port, *rest, **more):
        if host not in known:
            raise socket.gaierror(f"no address for {host}")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return known


@pytest.mark.parametrize(
    ("listed", "host", "is_allowed"),
    [
        (["hooks.example.org"], "hooks.example.org", True),
        (["hooks.example.org"], "HOOKS.example.org", True),
        (["hooks.example.org"], "example.org", False),
        (["example.org"], "hooks.example.org", False),
        ([], "hooks.example.org", False),
        (["10.1.0.0/16"], "10.1.2.3", True),
        (["10.1.0.0/16"], "10.2.2.3", False),
        (["::1"], "::1", True),
        (["127.0.0.1:80"], "127.0.0.1", False),
    ],
)
def test_a_host_must_stand_in_the_list(settings, listed, host, is_allowed):
    settings.OUTBOUND_HOSTS = listed
    if is_allowed:
        assert allowed_host(host) == host.lower()
    else:
        with pytest.raises(NotAllowed, match="may not speak to"):
            allowed_host(host)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.7",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "fe80::1%eth0",
        "fd00::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ],
)
def test_an_allowed_name_that_leads_inside_is_refused(settings, names, address):
    settings.OUTBOUND_HOSTS = ["hooks.example.org"]
    names["hooks.example.org"] = [PUBLIC, address]
    with pytest.raises(NotAllowed, match="no public address"):
        addresses_of("hooks.example.org", 443)


def test_whoever_hosts_it_can_list_an_address_inside(settings, names):
    settings.OUTBOUND_HOSTS = ["hooks.example.org", "10.0.0.0/24"]
    names["hooks.example.org"] = ["10.0.0.7"]
    assert addresses_of("hooks.example.org", 443) == ["10.0.0.7"]


def test_the_connection_goes_to_the_address_that_was_checked(settings, names, monkeypatch):
    """A name that answers differently the second time is not asked a second time."""
    settings.OUTBOUND_HOSTS = ["hooks.example.org"]
    names["hooks.example.org"] = [PUBLIC]
    spoken_to = []

    def connect(address, timeout):
        names["hooks.example.org"] = ["127.0.0.1"]
        spoken_to.append(address)
        raise ConnectionRefusedError("refused")

    monkeypatch.setattr(socket, "create_connection", connect)
    with Line("http://hooks.example.org:8080/") as line, pytest.raises(NotSent, match="refused"):
        line.post(b"{}", {})
    assert spoken_to == [(PUBLIC, 8080)]


def test_a_name_without_an_address_is_said_so(settings, names):
    settings.OUTBOUND_HOSTS = ["hooks.example.org"]
    with Line("https://hooks.example.org/") as line, pytest.raises(NotSent, match="no address for"):
        line.post(b"{}", {})
