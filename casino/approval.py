"""Two people for one deed: who asked, and the other one who approved. Pure."""

from dataclasses import dataclass

from casino.refusal import Refused, in_quotes


@dataclass(frozen=True)
class Approval:
    """Who asked for something and who approved it; the requester of anything never approves it (books, section 7).

    Both are log-ins; `requested_by` may be a device or a machine of the house. No instance breaks the rule: making one
    refuses `approval_missing` and `same_person`.
    """

    requested_by: str
    approved_by: str

    def __post_init__(self) -> None:
        if not self.requested_by.strip() or not self.approved_by.strip():
            raise Refused("approval_missing", "Somebody else has to approve this with name and password.")
        if self.requested_by.strip().casefold() == self.approved_by.strip().casefold():
            raise Refused(
                "same_person", f"{in_quotes(self.requested_by)} asked for this; somebody else has to approve it."
            )
