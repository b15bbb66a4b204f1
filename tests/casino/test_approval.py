"""Two people for one deed."""

import pytest

from casino.approval import Approval
from casino.refusal import Refused


def test_an_approval_names_who_asked_and_who_approved() -> None:
    assert Approval("dan", "eve") == Approval(requested_by="dan", approved_by="eve")
    assert Approval("device:R-01 terminal", "eve").requested_by == "device:R-01 terminal"


@pytest.mark.parametrize("pair", [("dan", "dan"), ("dan", "DAN"), ("dan", " dan "), ("Straße", "STRASSE")])
def test_nobody_approves_what_they_asked_for(pair: tuple[str, str]) -> None:
    with pytest.raises(Refused) as refusal:
        Approval(*pair)
    assert refusal.value.code == "same_person"


@pytest.mark.parametrize("pair", [("dan", ""), ("", "eve"), ("dan", "  ")])
def test_an_approval_of_one_person_is_none(pair: tuple[str, str]) -> None:
    with pytest.raises(Refused) as refusal:
        Approval(*pair)
    assert refusal.value.code == "approval_missing"
