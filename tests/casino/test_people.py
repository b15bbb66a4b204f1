"""The other person's name, password and code at the point of action."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from django.test import RequestFactory
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from casino.approval import Approval
from casino.commands import rounds
from casino.commands.order import Order
from casino.people import approval_of, proven
from casino.refusal import Refused
from tests.played import ANA, BEN, PASSWORD, Played

EVE = "eve"


@pytest.fixture
def request_(people: dict[str, User]) -> HttpRequest:
    people[EVE] = User.objects.create_user(EVE, password=PASSWORD)
    people[EVE].groups.add(Group.objects.get(name="pit_manager"))
    return RequestFactory().post("/", REMOTE_ADDR="10.0.0.7")


def order(key: str = "k", by: str = ANA) -> Order:
    return Order(by, key, datetime.now(UTC))


def given(name: str = EVE, password: str = PASSWORD, code: str = "") -> dict[str, str]:
    return {"approver": name, "password": password, "code": code}


def refusal_of(request: HttpRequest, *args: Any, **options: Any) -> str:
    with pytest.raises(Refused) as refusal:
        approval_of(request, *args, **options)
    assert refusal.value.message.endswith(".")
    return refusal.value.code


def with_device(user: User) -> TOTPDevice:
    return TOTPDevice.objects.create(user=user, name="authenticator", confirmed=True)


def test_somebody_else_of_the_role_approves(request_: HttpRequest) -> None:
    assert approval_of(request_, order(), given(), "floor") == Approval(ANA, EVE)


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({}, "approval_missing"),
        (given(password=""), "approval_missing"),
        (given(name=" "), "approval_missing"),
        (given(name=ANA), "same_person"),
        (given(name="ANA "), "same_person"),
        (given(password="wrong"), "approval_wrong"),
        (given(name="nobody"), "approval_wrong"),
        (given(name="e\0ve"), "approval_wrong"),
        (given(name=BEN), "approver_role"),
    ],
)
def test_what_is_no_approval_is_refused(request_: HttpRequest, form: dict[str, str], code: str) -> None:
    assert refusal_of(request_, order(), form, "floor", "cage") == code


def test_wrong_passwords_lock_the_name_as_at_the_log_in(request_: HttpRequest) -> None:
    codes = [refusal_of(request_, order(), given(password=f"guess {n}"), "floor") for n in range(5)]
    assert codes == ["approval_wrong"] * 4 + ["approver_locked"]
    assert refusal_of(request_, order(), given(), "floor") == "approver_locked"


def test_who_has_a_device_gives_its_code_and_a_code_serves_once(request_: HttpRequest, people) -> None:
    device = with_device(people[EVE])
    assert refusal_of(request_, order(), given(), "floor") == "code_missing"
    code = f"{totp(device.bin_key):06d}"
    assert approval_of(request_, order(), given(code=code), "floor") == Approval(ANA, EVE)
    assert refusal_of(request_, order("k2"), given(code=code), "floor") == "code_wrong"


def test_whose_role_needs_a_device_approves_nothing_without_one(request_: HttpRequest, settings: Any) -> None:
    settings.CASINO_SECOND_FACTOR = True
    assert refusal_of(request_, order(), given(), "floor") == "second_factor_missing"


def test_a_repeated_order_is_answered_though_its_code_is_used_up(played: Played, request_, people) -> None:
    """Whoever lost the answer sends the same again; nothing new can come of a key that is known."""
    form = given(code=f"{totp(with_device(people[EVE]).bin_key):06d}")

    def void(approver: dict[str, str]) -> Any:
        approval = approval_of(request_, order("once"), approver, "floor")
        return rounds.void_round(order("once"), played.round(4), "Nobody plays.", approval)

    assert void(form).replayed is False
    assert void(form).replayed is True
    with pytest.raises(Refused) as refusal:
        void(given(name="mallory"))
    assert refusal.value.code == "key_reused"


def test_a_signer_is_proven_with_all_their_roles(request_: HttpRequest) -> None:
    assert proven(request_, order(), f" {EVE} ", PASSWORD).roles == {"pit_manager", "floor"}
