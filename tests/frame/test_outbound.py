"""Which addresses the server speaks to, and that no name leads it to another."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
import time
from contextlib import suppress

import pytest

from apps.frame.outbound import lines
from apps.frame.outbound.destinations import NotAllowed, NotSent, addresses_of, allowed_host
from apps.frame.outbound.lines import Line
from apps.webhooks.signatures import headers, new_secret
from tests.webhooks.receiver import Receiver

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


@pytest.mark.parametrize(
    "address",
    ["169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "fd00:ec2::254",
     "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::"],
)  # fmt: skip
def test_where_clouds_keep_keys_nobody_speaks_even_if_it_is_listed(settings, names, address):
    settings.OUTBOUND_HOSTS = ["models.example.org", address, "0.0.0.0/0", "::/0"]
    with pytest.raises(NotAllowed, match="clouds keep"):
        allowed_host(address)
    names["models.example.org"] = [address]
    with pytest.raises(NotAllowed, match="clouds keep"):
        addresses_of("models.example.org", 443)


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


# ---- By https -----------------------------------------------------------------------------------


@pytest.fixture
def certificate(tmp_path):
    """A certificate for 127.0.0.1 that only those trust who are given it."""
    if not shutil.which("openssl"):
        pytest.skip("no openssl here to make a certificate with")
    made, file = tmp_path / "made.pem", tmp_path / "both.pem"
    key = tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(made)],
        check=True, capture_output=True,
    )  # fmt: skip
    file.write_text(key.read_text() + made.read_text())
    return str(file)


def test_https_is_spoken_to_whom_the_certificate_names(settings, certificate, monkeypatch):
    settings.OUTBOUND_HOSTS = ["127.0.0.1"]
    trusting = ssl.create_default_context(cafile=certificate)
    monkeypatch.setattr(lines, "trust", lambda: trusting)
    with Receiver().listening(certificate) as receiver, Line(receiver.address) as line:
        receiver.secret = new_secret()
        for message_id in ("msg_1", "msg_2"):
            sent = headers([receiver.secret], message_id, int(time.time()), b'{"n": 1}')
            assert line.post(b'{"n": 1}', sent).status == 200
        assert receiver.taken == [{"n": 1}, {"n": 1}]
        assert receiver.connections == 1


def test_a_certificate_of_nobody_known_is_refused(settings, certificate):
    settings.OUTBOUND_HOSTS = ["127.0.0.1"]
    with Receiver().listening(certificate) as receiver:
        with Line(receiver.address) as line, pytest.raises(NotSent, match="certificate verify failed"):
            line.post(b"{}", {})
        assert receiver.seen == []


def test_an_answer_that_drips_is_cut_off_in_time(settings, monkeypatch):
    """Each byte comes within the time of one reading, but the whole does not."""
    settings.OUTBOUND_HOSTS = ["127.0.0.1"]
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=drip, args=(server,), daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        with Line(address, seconds=0.5) as line, pytest.raises(NotSent, match="no answer in time"):
            line.post(b"{}", {})
        thread.join(timeout=10)
        assert not thread.is_alive()


def drip(server):
    """One letter of an endless header after the other, until nobody listens any more."""
    connection, _address = server.accept()
    with connection, suppress(OSError):
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
        for _letter in range(200):
            connection.sendall(b"x")
            time.sleep(0.05)


# ---- Through httpx ------------------------------------------------------------------------------


def asked(address, seconds=5.0, path="/hook"):
    from apps.frame.outbound.transport import checked_client

    with checked_client(address, seconds=seconds) as client:
        return client.post(address.rsplit("/", 1)[0] + path, content=b"{}")


def test_the_client_goes_to_the_address_that_was_checked(settings, names, monkeypatch):
    import httpx2

    settings.OUTBOUND_HOSTS = ["models.example.org"]
    names["models.example.org"] = [PUBLIC]
    spoken_to = []

    def connect(address, *rest, **more):
        names["models.example.org"] = ["127.0.0.1"]
        spoken_to.append(address)
        raise ConnectionRefusedError("refused")

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(httpx2.TransportError, match="refused"):
        asked("https://models.example.org/v1")
    assert spoken_to == [(PUBLIC, 443)]


@pytest.mark.parametrize(
    ("address", "leads_to", "said"),
    [
        ("https://other.example.org/v1", PUBLIC, "may not speak to"),
        ("https://models.example.org/v1", "10.0.0.7", "no public address"),
        ("https://models.example.org/v1", "169.254.169.254", "clouds keep"),
        ("http://models.example.org/v1", PUBLIC, "may do without https"),
        ("http://169.254.169.254/v1", "169.254.169.254", "clouds keep"),
    ],
)
def test_the_client_opens_no_connection_elsewhere(settings, names, address, leads_to, said):
    settings.OUTBOUND_HOSTS = ["models.example.org"]
    names[address.split("/")[2]] = [leads_to]
    with pytest.raises(NotAllowed, match=said):
        asked(address)


def test_the_client_follows_nobody(settings):
    from apps.frame.outbound.transport import checked_client

    settings.OUTBOUND_HOSTS = ["127.0.0.1"]
    with Receiver().listening() as receiver:
        receiver.secret = new_secret()
        receiver.answers = [307]
        receiver.headers = {"Location": "http://169.254.169.254/latest/"}
        sent = headers([receiver.secret], "msg_1", int(time.time()), b"{}")
        with checked_client(receiver.address, seconds=5) as client:
            assert client.post(receiver.address, content=b"{}", headers=sent).status_code == 307
            with pytest.raises(NotAllowed, match="may not speak to localhost"):
                client.post(receiver.address.replace("127.0.0.1", "localhost"), content=b"{}")
        assert len(receiver.raw) == 1


def test_the_client_does_not_wait_for_an_answer_that_drips(settings):
    import httpx2

    settings.OUTBOUND_HOSTS = ["127.0.0.1"]
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=drip, args=(server,), daemon=True).start()
        began = time.monotonic()
        with pytest.raises(httpx2.TimeoutException):
            asked(f"http://127.0.0.1:{server.getsockname()[1]}/", seconds=0.5)
        assert time.monotonic() - began < 5


def test_the_client_takes_no_answer_without_end(settings, monkeypatch):
    import httpx2

    from apps.frame.outbound import transport

    settings.OUTBOUND_HOSTS = ["127.0.0.1"]
    monkeypatch.setattr(transport, "LONGEST_ANSWER", 1000)
    with Receiver().listening() as receiver:
        receiver.secret = new_secret()
        receiver.body = b"x" * 2000
        sent = headers([receiver.secret], "msg_1", int(time.time()), b"{}")
        client = transport.checked_client(receiver.address, seconds=5)
        with client, pytest.raises(httpx2.TransportError, match="too long"):
            client.post(receiver.address, content=b"{}", headers=sent)


def test_the_client_speaks_https_to_whom_the_certificate_names(settings, certificate, monkeypatch):
    import httpx2

    from apps.frame.outbound import transport

    settings.OUTBOUND_HOSTS = ["127.0.0.1"]
    with Receiver().listening(certificate) as receiver:
        with pytest.raises(httpx2.TransportError, match="certificate verify failed"):
            asked(receiver.address)
        trusting = ssl.create_default_context(cafile=certificate)
        monkeypatch.setattr(transport, "trust", lambda: trusting)
        receiver.secret = new_secret()
        sent = headers([receiver.secret], "msg_1", int(time.time()), b"{}")
        with transport.checked_client(receiver.address, seconds=5) as client:
            assert [
                client.post(receiver.address, content=b"{}", headers=sent).status_code for _n in "ab"
            ] == [200, 200]
        assert receiver.connections == 1
