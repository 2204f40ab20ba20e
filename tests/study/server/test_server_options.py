"""Where a study is served: what is said, what is warned of and what is refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.study.server.server_options import ServerOptions


@pytest.mark.parametrize(
    ("options", "address", "encrypted", "private"),
    [
        (ServerOptions(), "http://127.0.0.1:9", False, True),
        (ServerOptions(host="::1"), "http://[::1]:9", False, True),
        (ServerOptions(host="localhost"), "http://localhost:9", False, True),
        (ServerOptions(host="0.0.0.0"), "http://127.0.0.1:9", False, False),
        (ServerOptions(host="::"), "http://[::1]:9", False, False),
        (ServerOptions(tls_cert=Path("c"), tls_key=Path("k")), "https://127.0.0.1:9", True, True),
        (
            ServerOptions(behind_proxy=True, public="https://a.example/"),
            "https://a.example",
            True,
            False,
        ),
        (ServerOptions(public="http://a.example:80"), "http://a.example:80", False, False),
    ],
)
def test_the_link_is_that_by_which_browsers_come(
    options: ServerOptions, address: str, encrypted: bool, private: bool
) -> None:
    assert options.address(9) == address
    assert (options.encrypted, options.is_private) == (encrypted, private)


def test_by_default_only_this_machine_reaches_the_server() -> None:
    assert ServerOptions().host == "127.0.0.1"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "study.example.org"])
def test_others_without_encryption_are_warned_of(host: str) -> None:
    [warning] = ServerOptions(host=host).warnings()
    assert f"--host {host}" in warning
    assert "--behind-proxy" in warning
    assert ServerOptions(host=host, behind_proxy=True, public="https://x").warnings() == []
    assert ServerOptions(host=host, tls_cert=Path("c"), tls_key=Path("k")).warnings() == []


def test_a_server_that_only_this_machine_reaches_needs_no_warning() -> None:
    assert [ServerOptions(host=one).warnings() for one in ("127.0.0.1", "::1", "localhost")] == (
        [[]] * 3
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (ServerOptions(tls_cert=Path("c.pem")), "--tls-cert and --tls-key belong together"),
        (ServerOptions(tls_key=Path("k.pem")), "--tls-cert and --tls-key belong together"),
        (ServerOptions(tls_cert=Path("no.pem"), tls_key=Path("k")), "no.pem: there is no such"),
        (ServerOptions(behind_proxy=True), "--behind-proxy: give .* --public"),
        (ServerOptions(public="study.example.org"), "found no address of a host"),
        (ServerOptions(public="https://a.example/path"), "without a path"),
        (ServerOptions(public="https://a.example:99999"), "found no address"),
        (ServerOptions(public="https://"), "found no address"),
        (ServerOptions(public="ftp://a.example"), "found no address"),
    ],
)
def test_options_that_cannot_work_are_refused_before_anything_starts(
    options: ServerOptions, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        options.check()


def test_files_that_are_no_certificate_are_refused(tmp_path: Path) -> None:
    for name in ("cert.pem", "key.pem"):
        (tmp_path / name).write_text("nothing")
    options = ServerOptions(tls_cert=tmp_path / "cert.pem", tls_key=tmp_path / "key.pem")
    with pytest.raises(UserError, match="cannot be used"):
        options.check()


def certificate(folder: Path) -> ServerOptions:
    """Options with a certificate of this machine that nobody vouches for."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed, which makes a certificate")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", folder / "key.pem",
         "-out", folder / "cert.pem"],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return ServerOptions(port=0, tls_cert=folder / "cert.pem", tls_key=folder / "key.pem")


def test_a_certificate_and_its_key_are_taken(tmp_path: Path) -> None:
    certificate(tmp_path).check()
