"""The user whom the servers run as: ourselves, or `nobody` when we are root, whom PostgreSQL refuses.

The checkout may stand where nobody can't go (/root, a private folder). No folder is opened to others for that:
the server's process gets the capability to read and search past permissions, and only where it is needed.
"""

import ctypes
import os
import pwd
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from casino.refusal import Refused

CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1, 2
NO_CAPABILITY = 0
PR_SET_SECUREBITS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE = 28, 47, 2
SECBIT_NO_SETUID_FIXUP = 1 << 2
CAPABILITY_VERSION_3 = 0x20080522


@dataclass(frozen=True)
class ServerUser:
    """Who runs a server: `uid`, `gid`, and the one capability (0: none) that reaches its folders."""

    uid: int
    gid: int
    capability: int = NO_CAPABILITY

    def run(
        self, argv: Sequence[str | Path], folder: Path, *, given: str = "", timeout_seconds: float = 330
    ) -> "subprocess.CompletedProcess[str]":
        """Run `argv` to its end as this user in `folder`, with `given` on its standard input."""
        return subprocess.run(
            list(map(str, argv)),
            input=given,
            capture_output=True,
            text=True,
            timeout=timeout_seconds,
            env=_environment(folder),
            preexec_fn=self._become(folder),
            start_new_session=True,
        )

    def _become(self, folder: Path) -> Callable[[], None]:
        """The steps between fork and exec. The folder is entered last, with the rights of the new user."""
        user, libc, is_root = self, ctypes.CDLL(None, use_errno=True), os.geteuid() == 0

        def become() -> None:
            if is_root:
                if user.capability:
                    # Capabilities live through the change of user, and count in access(2) too, by which
                    # PostgreSQL's programs look for each other.
                    _check(libc.prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0))
                os.setgroups([])
                os.setgid(user.gid)
                os.setuid(user.uid)
                if user.capability:
                    _raise_capability(libc, user.capability)
            os.umask(0o077)
            os.chdir(folder)

        return become


def _raise_capability(libc: ctypes.CDLL, capability: int) -> None:
    """Keep `capability`, and nothing else of root's, through the change of user and the exec that follows."""
    mask = 1 << capability
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    data = (ctypes.c_uint32 * 6)(mask, mask, mask, 0, 0, 0)  # effective, permitted, inheritable; low word, high word
    _check(libc.capset(header, data))
    _check(libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0))


def _check(status: int) -> None:
    if status != 0:
        raise OSError(ctypes.get_errno(), "this machine does not let root pass the capability on")


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of ours reaches a server: no PG… variable, no locale, no secret."""
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C", "TZ": "UTC"}


def ids() -> tuple[int, int]:
    """uid and gid that the servers run with."""
    if os.geteuid() != 0:
        return os.geteuid(), os.getegid()
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise Refused(
            "no_unprivileged_user",
            "PostgreSQL never runs as root, and this machine has no user named nobody. Start as an ordinary user, "
            "or set DATABASE_URL and REDIS_URL to servers of your own.",
        ) from None
    return nobody.pw_uid, nobody.pw_gid


def find(program: Path, folder: Path) -> ServerUser:
    """The user with the least rights that can start `program` in `folder`."""
    uid, gid = ids()
    choices = (NO_CAPABILITY, CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE) if os.geteuid() == 0 else (NO_CAPABILITY,)
    for capability in choices:
        user = ServerUser(uid, gid, capability)
        try:
            if user.run([program, "--version"], folder).returncode == 0:
                return user
        except (OSError, subprocess.SubprocessError):
            continue
    raise Refused(
        "folder_out_of_reach",
        f"{program} can't be started in {folder} by the user with the number {uid}. Move the checkout to a folder "
        "that this user can enter, or set CASINO_VAR to one, or start as an ordinary user.",
    )
