"""How many requests the server takes from whom, in memory that does not grow."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

CAPACITY = 20_000
"""Senders that are remembered; of more, those seen last."""
IPV6_SITE = 64
"""Bits of an IPv6 address that tell one site from another; the rest is free to choose."""


@dataclass(frozen=True)
class RequestRate:
    """per_second: requests in the long run. burst: at once."""

    per_second: float
    burst: float


@dataclass(frozen=True)
class RateLimits:
    """participant: any of their requests; a trial takes 3 to 14. address: any request; people
    behind one router share it. enrolment: new participants from one address. enrolments: from all.
    refused_owner: wrong tokens from one address.
    """

    participant: RequestRate = RequestRate(20, 100)
    address: RequestRate = RequestRate(100, 400)
    enrolment: RequestRate = RequestRate(1, 60)
    enrolments: RequestRate = RequestRate(10, 400)
    refused_owner: RequestRate = RequestRate(0.2, 10)


class TokenBuckets:
    """A bucket for each sender, that fills with time and out of which requests take."""

    def __init__(
        self,
        rate: RequestRate,
        capacity: int = CAPACITY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rate, self._capacity, self._clock = rate, capacity, clock
        self._levels: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._levels)

    def wait(self, sender: Hashable, cost: float = 1.0) -> float:
        """0 if the request is within the rate, which counts it; else seconds until one is.

        cost: of how many ordinary requests it is worth.
        """
        now = self._clock()
        level, then = self._levels.pop(sender, (self._rate.burst, now))
        level = min(self._rate.burst, level + (now - then) * self._rate.per_second)
        allowed = level >= cost
        self._levels[sender] = (level - cost if allowed else level, now)
        if len(self._levels) > self._capacity:
            self._levels.popitem(last=False)
        return 0.0 if allowed else (cost - level) / self._rate.per_second


def sender_of(host: str) -> str:
    """Whom an address belongs to: an IPv4 address, the network of an IPv6 address.

    >>> sender_of("192.0.2.7"), sender_of("2001:db8::1:7"), sender_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    if ":" not in host:
        return host
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address, IPV6_SITE), strict=False))
