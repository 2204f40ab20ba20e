"""The names under which a server is asked for; any other is a sign of a rebound address."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class HostNames:
    """Names that are served. any_address: whether plain addresses are as well, which no name that
    is bound to another address can pretend to be.
    """

    names: frozenset[str]
    any_address: bool = False

    def has(self, host: str) -> bool:
        """Whether the value of a Host header is one of ours.

        >>> HostNames(frozenset({"localhost"})).has("LOCALHOST:8765")
        True
        >>> HostNames(frozenset({"localhost"})).has("localhost.example.org")
        False
        """
        name = bare_name(host)
        return name in self.names or (self.any_address and is_address(name))


def bare_name(host: str) -> str:
    """The name in a Host header, in small letters, without port and brackets.

    >>> bare_name("Example.org:80"), bare_name("[::1]:8765"), bare_name("127.0.0.1")
    ('example.org', '::1', '127.0.0.1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower().rstrip(".")


def is_address(name: str) -> bool:
    """Whether a name is an IPv4 or IPv6 address.

    >>> is_address("::1"), is_address("192.0.2.1"), is_address("example.org")
    (True, True, False)
    """
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host that a server binds to.

    >>> is_loopback("127.0.0.2"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if is_address(host):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"
