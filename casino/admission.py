"""What one address asks of whoever comes: the words in which the table of `casino/access.py` is written. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from casino.roles import AUDITOR, held

READS = ("GET", "HEAD")
OWN_TABLE: Literal["own table"] = "own table"
ANY_TABLE: Literal["any table"] = "any table"
Device = Literal["", "own table", "any table"]


@dataclass(frozen=True)
class Access:
    """What one address asks of whoever comes: roles that read, roles that send, and which devices do either."""

    readers: frozenset[str] = frozenset()
    senders: frozenset[str] = frozenset()
    device_reads: Device = ""
    device_sends: Device = ""
    is_public: bool = False
    opened_by: str = ""
    bearer_setting: str = ""
    is_before_second_factor: bool = False

    def __or__(self, other: "Access") -> "Access":
        """Who may do either."""
        return Access(
            self.readers | other.readers,
            self.senders | other.senders,
            self.device_reads or other.device_reads,
            self.device_sends or other.device_sends,
        )

    def offers(self, method: str) -> bool:
        """Whether anybody may come by this method; what nobody may is answered as "method not allowed"."""
        return self.is_public or bool(self.roles(method) or self.device(method))

    def roles(self, method: str) -> frozenset[str]:
        """The roles named for a method; whoever may do anything here may ask for its OPTIONS."""
        if method == "OPTIONS":
            return self.readers | self.senders
        return self.readers if method in READS else self.senders if method == "POST" else frozenset()

    def device(self, method: str) -> Device:
        """Which devices may come by a method."""
        if method == "OPTIONS":
            return self.device_reads or self.device_sends
        return self.device_reads if method in READS else self.device_sends if method == "POST" else ""

    def admits(self, roles: Iterable[str], method: str) -> bool:
        """Whether a person of these roles may come by this method."""
        return self.is_public or bool(held(roles) & self.roles(method))


def look(*roles: str, device: Device = "") -> Access:
    """To read, for these roles and the auditor."""
    return Access(readers=frozenset((*roles, AUDITOR)), device_reads=device)


def act(*roles: str, device: Device = "") -> Access:
    """To send, for these roles."""
    return Access(senders=frozenset(roles), device_sends=device)


def form(*roles: str) -> Access:
    """A page to fill in and send, for these roles."""
    return Access(readers=frozenset(roles), senders=frozenset(roles))


def before_second_factor(access: Access) -> Access:
    """What somebody may do who has given name and password, and owes the one-time code yet."""
    return replace(access, is_before_second_factor=True)


def open_when(function: str, *roles: str) -> Access:
    """To read, for everybody while the function says yes, else for these roles and the auditor."""
    return replace(look(*roles), opened_by=function)


PUBLIC = Access(is_public=True)
