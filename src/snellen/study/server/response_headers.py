"""The headers of every response: what a browser may do with what we send, which is little."""

from __future__ import annotations

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
PERMISSIONS = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")

HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": ", ".join(f"{name}=()" for name in PERMISSIONS),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""A response that has one of them keeps its own, which only Cache-Control is for."""
ENCRYPTED = {"Strict-Transport-Security": "max-age=31536000"}
"""Where browsers come by HTTPS."""


def safe_headers(encrypted: bool) -> list[tuple[bytes, bytes]]:
    """The headers as ASGI has them."""
    found = HEADERS | (ENCRYPTED if encrypted else {})
    return [(name.lower().encode(), text.encode()) for name, text in found.items()]
