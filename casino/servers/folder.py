"""The folder `var/`: who may enter it, and the secrets in it."""

import json
import os
import secrets
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from casino.refusal import Refused

MARKER = "made-by-the-casino-back-office"
"""Present in every folder of ours, so that a CASINO_VAR=/home never has its rights changed."""


def make_var(var: Path, uid: int, gid: int) -> None:
    """Make `var` ours: for the servers' user `uid` alone (0700). A folder that holds other things is refused."""
    try:
        claim(var)
        if os.geteuid() == 0:
            os.chown(var, uid, gid)
        var.chmod(0o700)
    except OSError as problem:
        raise Refused(
            "var_not_ours",
            f"{var} can't be used by this user ({problem.strerror}). Start as the user that made it, "
            "or set CASINO_VAR to another folder.",
        ) from problem


def claim(var: Path) -> None:
    """Make the folder `var` and mark it as ours; a folder that holds somebody else's files is refused."""
    var.mkdir(mode=0o700, parents=True, exist_ok=True)
    names = sorted(path.name for path in var.iterdir())
    if MARKER in names:  # one look: another command may be marking it in this moment
        return
    if names:
        raise Refused(
            "var_not_ours",
            f"{var} holds files that are not ours ({names[0]} …). Set CASINO_VAR to a new or empty folder.",
        )
    (var / MARKER).touch(mode=0o600)


def make_folder(folder: Path, uid: int, gid: int) -> None:
    """A folder inside `var` that the servers' user alone may enter."""
    folder.mkdir(mode=0o700, exist_ok=True)
    if os.geteuid() == 0:
        os.chown(folder, uid, gid)
    folder.chmod(0o700)


@dataclass(frozen=True)
class Notes:
    """What outlives a run, in `servers.json`: the passwords by role, and the port that Redis had last (0: none)."""

    passwords: dict[str, str]
    redis_port: int = 0


def read_notes(var: Path) -> Notes | None:
    try:
        return Notes(**json.loads((var / "servers.json").read_text()))
    except (FileNotFoundError, PermissionError):
        return None


def write_notes(var: Path, notes: Notes) -> None:
    """Replace `servers.json` in one step; the user who starts the servers may read it, nobody else."""
    new = var / "servers.json.new"
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(asdict(notes), file, indent=1)
    new.replace(var / "servers.json")


def secret(var: Path, name: str) -> str:
    """A secret text kept in `var`/`name`, made up at its first use.

    Where `var` can't be written (a read-only checkout, another user's folder) the text is good for this process
    only: such a process can answer `paytable` or `settle`, but never start the servers.
    """
    path = var / name
    try:
        claim(var)
        new = path.with_name(f"{name}.{secrets.token_hex(4)}")
        if not path.exists():
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(50))
            _keep_the_first(new, path)
        return path.read_text()
    except OSError:
        return secrets.token_urlsafe(50)


def _keep_the_first(new: Path, path: Path) -> None:
    """Two processes may make the secret at once; a link, unlike a rename, leaves the first one's in place."""
    try:
        os.link(new, path)
    except FileExistsError:
        pass
    finally:
        new.unlink()


def remove(folder: Path) -> None:
    """Remove `folder`, which a start that was cut short has left half made."""
    if folder.exists():
        shutil.rmtree(folder)
