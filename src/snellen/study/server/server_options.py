"""How a study is served: where, by what name, and how browsers come."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from snellen.errors import UserError
from snellen.study.server.host_names import LOOPBACK, HostNames, is_loopback

HOST, PORT = "127.0.0.1", 8765


@dataclass(frozen=True)
class ServerOptions:
    """host, port: where the server binds; port 0 takes a free one. tls_cert, tls_key: PEM files.
    behind_proxy: whether a proxy that adds X-Forwarded-For stands in front. public: the address
    under which participants come, such as `https://study.example.org`; empty where it is that of
    the server itself. address_rate: requests a second from one address in the long run.
    """

    host: str = HOST
    port: int = PORT
    tls_cert: Path | None = None
    tls_key: Path | None = None
    behind_proxy: bool = False
    public: str = ""
    address_rate: float | None = None

    @property
    def tls(self) -> bool:
        """Whether the server itself encrypts."""
        return self.tls_cert is not None

    @property
    def encrypted(self) -> bool:
        """Whether browsers come by HTTPS."""
        return self.public.startswith("https:") if self.public else self.tls

    @property
    def names(self) -> HostNames:
        """The names under which the server may be asked for."""
        public = (urlsplit(self.public).hostname or "",) if self.public else ()
        everywhere = not is_loopback(self.host) and not self.public
        return HostNames(frozenset((*LOOPBACK, self.host, *public)), any_address=everywhere)

    def address(self, port: int) -> str:
        """The address of the participants' page, without a slash at its end."""
        if self.public:
            return self.public.rstrip("/")
        host = {"0.0.0.0": HOST, "::": "::1"}.get(self.host, self.host)
        shown = f"[{host}]" if ":" in host else host
        return f"{'https' if self.tls else 'http'}://{shown}:{port}"

    @property
    def is_private(self) -> bool:
        """Whether nobody but this machine reaches the server, as far as it knows."""
        return is_loopback(self.host) and not self.public

    def warnings(self) -> list[str]:
        """What is not safe about these options."""
        if is_loopback(self.host) or self.tls or self.behind_proxy:
            return []
        return [
            f"--host {self.host} is reachable from other machines without encryption, so that "
            "whoever is on the way reads and changes sessions and answers. Use --tls-cert and "
            "--tls-key, or an HTTPS proxy and --behind-proxy."
        ]

    def check(self) -> None:
        """Raise an error for options that do not go together."""
        if (self.tls_cert is None) != (self.tls_key is None):
            raise UserError("--tls-cert and --tls-key belong together: give both or neither.")
        if self.behind_proxy and not self.public:
            raise UserError(
                "--behind-proxy: give the address of the proxy, too, as participants type it, such "
                "as --public https://study.example.org"
            )
        if self.tls_cert is not None and self.tls_key is not None:
            _check_certificate(self.tls_cert, self.tls_key)
        if self.public:
            _check_address(self.public)


def _check_certificate(certificate: Path, key: Path) -> None:
    for option, path in (("--tls-cert", certificate), ("--tls-key", key)):
        if not path.is_file():
            raise UserError(f"{option} {path}: there is no such file; expected a PEM file.")
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise UserError(
            f"--tls-cert {certificate}, --tls-key {key}: cannot be used: {error}. "
            "Expected a certificate and its key without a password, both as PEM."
        ) from error


def _check_address(public: str) -> None:
    try:
        parts = urlsplit(public)
        fine = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        fine = False
    if not fine or parts.path.strip("/") or parts.query or parts.fragment:
        raise UserError(
            f"--public {public}: found no address of a host; expected one such as "
            "https://study.example.org, without a path."
        )
