"""The address and the token of a Ray cluster.

From version 2.59 on, Ray uses tokens by default, but not in every case where they are needed.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path

from clearway.errors import ClusterError

_HELP = """\
help: copy ~/.ray/auth_token of the head to this machine, or set RAY_AUTH_TOKEN; then set RAY_AUTH_MODE=token"""


def check_reachable(address: str, timeout: float) -> None:
    """Fails if the address is HOST:PORT and does not accept connections."""
    host, _, port = address.rpartition(":")
    if host and "/" not in host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=timeout).close()


def has_token() -> bool:
    """Returns whether this machine has a token, in the places where Ray looks for one."""
    if os.environ.get("RAY_AUTH_TOKEN"):
        return True
    path = os.environ.get("RAY_AUTH_TOKEN_PATH") or Path.home() / ".ray" / "auth_token"
    return Path(path).is_file()


def use_token_if_available() -> None:
    """Lets Ray use the token of this machine; must be called before Ray is imported.

    By itself, Ray uses it for a cluster that it finds, but not for one with an address. A cluster without tokens
    ignores it.
    """
    if "RAY_AUTH_MODE" not in os.environ and has_token():
        os.environ["RAY_AUTH_MODE"] = "token"


def check_token(address: str, timeout: float) -> None:
    """Fails if the cluster at an address needs another token, or a token at all. Ray would try for twenty seconds."""
    if os.environ.get("RAY_AUTH_MODE", "").lower() == "token" and not has_token():
        # Ray aborts the process in this case.
        raise ClusterError(f"this machine has no token for the Ray cluster at '{address}'\n{_HELP}")
    from ray import _raylet, exceptions
    from ray._private.services import canonicalize_bootstrap_address

    # Old versions of Ray have no tokens.
    refused: type[Exception] = getattr(exceptions, "AuthenticationError", PermissionError)
    # Ray has no public function that distinguishes a missing token from a missing cluster.
    try:
        found = address if ":" in address else canonicalize_bootstrap_address(address)
        if found is not None and "/" not in found:
            check_reachable(found, timeout)
            _raylet.GcsClient(address=found)  # type: ignore[attr-defined]
    except refused:
        fault = (
            "needs another token than that of this machine"
            if has_token()
            else "needs a token, and this machine has none"
        )
        raise ClusterError(f"the Ray cluster at '{address}' {fault}\n{_HELP}") from None
    except Exception:
        # Whatever it is, `ray.init` reports it.
        return
