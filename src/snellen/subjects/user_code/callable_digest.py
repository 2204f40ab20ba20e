"""A digest of a callable by its code, and by what the code closes over and names.

Equal digests mean that the same code runs on the same values. Whatever cannot be followed (a file
handle, a session of a native library, a call of `eval`) makes the callable opaque: it has no
digest, and a reason.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from typing import Any

from snellen.errors.plain_text import error_words
from snellen.subjects.user_code.value_walk import OpaqueError, ValueWalk


@dataclass(frozen=True)
class CallableDigest:
    """text: 32 hexadecimal digits, or nothing for an opaque callable; reason: why it is one."""

    text: str = ""
    reason: str = ""


def callable_digest(value: Any) -> CallableDigest:
    """The digest of a function, a method, a callable object or any value.

    >>> first, same, other = (callable_digest(lambda image: image > level) for level in (1, 1, 2))
    >>> first == same, first == other
    (True, False)
    """
    state = hashlib.blake2b(digest_size=16)
    state.update(f"{sys.implementation.cache_tag} ".encode())
    try:
        ValueWalk(state.update).add(value)
    except OpaqueError as error:
        return CallableDigest(reason=str(error))
    except RecursionError:
        return CallableDigest(reason="it is nested too deeply")
    except Exception as error:  # of the value's own code, such as a class's `__getattr__`
        return CallableDigest(reason=f"it cannot be looked into: {error_words(error)}")
    return CallableDigest(state.hexdigest())
