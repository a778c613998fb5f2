"""Which addresses the server itself may speak to: the one door of all that goes out.

The host must be allowed by whoever hosts the server (POLARLAB_OUTBOUND_HOSTS: names, addresses, networks).
A name is looked up once, and the connection goes to the very address that was checked; one that is not
public must be listed itself. The addresses at which clouds tell a machine its own secrets are spoken to by
nobody, listed or not.
"""

from __future__ import annotations

import ipaddress
import socket
from functools import lru_cache
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.frame.texts import text_checked

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# Where machines of clouds learn their own keys: most of them on the link itself, some elsewhere.
_METADATA = tuple(
    ipaddress.ip_network(network)
    for network in (
        "169.254.0.0/16",
        "100.100.100.200/32",
        "168.63.129.16/32",
        "192.0.0.192/32",
        "fd00:ec2::/32",
        "fd20:ce::254/128",
    )
)


class NotSent(Exception):
    """Nothing came back, with the reason in words."""


class NotAllowed(NotSent):
    """The server may not speak to this address at all."""


def allowed_host(host: str) -> str:
    """The host in small letters; :class:`NotAllowed` unless it stands in the list."""
    host = host.lower()
    address = _address(host)
    if address and _is_metadata(address):
        raise NotAllowed(
            _("%(host)s is where clouds keep a machine's own keys; nobody speaks to it.") % {"host": host}
        )
    if host in settings.OUTBOUND_HOSTS or (address and _is_listed(address)):
        return host
    raise NotAllowed(
        _("This server may not speak to %(host)s; whoever hosts it can allow it.") % {"host": host}
    )


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses that an allowed host has, all of them fit to be spoken to; :class:`NotAllowed` otherwise.

    OSError where the name has none.
    """
    found = [str(row[4][0]) for row in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for text in found:
        address = ipaddress.ip_address(text.partition("%")[0])
        if _is_metadata(address):
            raise NotAllowed(
                _("%(host)s is at %(address)s, where clouds keep a machine's own keys; nobody speaks to it.")
                % {"host": host, "address": text}
            )
        if not (_is_public(address) or _is_listed(address)):
            raise NotAllowed(
                _("%(host)s is at %(address)s, which is no public address; whoever hosts this can allow it.")
                % {"host": host, "address": text}
            )
    return found


def _is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        return _is_public(address.ipv4_mapped)
    # 64:ff9b::/96 is public by its name and leads to any IPv4 address, 2002::/16 likewise.
    leads_elsewhere = isinstance(address, ipaddress.IPv6Address) and (
        address in ipaddress.ip_network("64:ff9b::/96") or address.sixtofour is not None
    )
    return address.is_global and not address.is_multicast and not leads_elsewhere


def _is_metadata(address: Address) -> bool:
    """Whether the address, or the IPv4 address that it leads to, is one of those above."""
    if isinstance(address, ipaddress.IPv6Address):
        translated = address in ipaddress.ip_network("64:ff9b::/96")
        inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if translated else None
        address = address.ipv4_mapped or address.sixtofour or inner or address
    return any(address in network for network in _METADATA)


def _is_listed(address: Address) -> bool:
    """Whether the list holds the address, or a network that it lies in."""
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return any(address in network for network in _networks(tuple(settings.OUTBOUND_HOSTS)))


@lru_cache(maxsize=8)
def _networks(listed: tuple[str, ...]) -> list[Network]:
    networks = []
    for entry in listed:
        try:
            networks.append(ipaddress.ip_network(entry.strip("[]")))
        except ValueError:  # a name
            continue
    return networks


def _address(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def address_checked(address: str) -> str:
    """The address without white space around it; ValidationError where the server could not tell it."""
    address = text_checked(address.strip(), "address")
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host = ""
    if not host or parts.scheme not in ("http", "https") or not address.isascii() or len(address) > 500:
        raise ValidationError({"address": _("Please give an address that begins with https://.")})
    if "@" in parts.netloc or parts.fragment or any(letter.isspace() for letter in address):
        raise ValidationError({"address": _("Please give an address without password, # and spaces.")})
    try:
        found = addresses_of(allowed_host(host), port or 443)
    except NotAllowed as error:
        raise ValidationError({"address": str(error)}) from error
    except OSError as error:
        raise ValidationError({"address": _("%(host)s can't be found.") % {"host": host}}) from error
    if parts.scheme == "http" and not all(is_inside(each) for each in found):
        raise ValidationError(
            {"address": _("Only an address on the host's own network may do without https.")}
        )
    return address


def is_inside(address: str) -> bool:
    """Whether an address is not public; then whoever hosts the server has listed it."""
    return not ipaddress.ip_address(address.partition("%")[0]).is_global
