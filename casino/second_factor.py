"""The second factor: a one-time code of a person's own device, or one of their recovery codes.

Whoever moves money or gives log-ins needs one (`CASINO_SECOND_FACTOR_ROLES`, where `CASINO_SECOND_FACTOR` says yes);
whoever has set one up is asked for it either way.
"""

from collections.abc import Iterable

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django_otp import login
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

RECOVERY_CODES = 10
CODE_LETTERS = 6
DUE = "second_factor_due"


def is_asked_of(roles: Iterable[str]) -> bool:
    """Whether one of these roles may not be without a device."""
    return settings.CASINO_SECOND_FACTOR and not set(settings.CASINO_SECOND_FACTOR_ROLES).isdisjoint(roles)


def is_due(request: HttpRequest, roles: Iterable[str]) -> bool:
    """Whether this session still owes the second factor: its person's role asks for one, or they have a device."""
    if request.user.is_verified():
        return False
    if DUE not in request.session:  # asked of the database once a session
        request.session[DUE] = device_of(request.user) is not None
    return is_asked_of(roles) or request.session[DUE]


def device_of(user: User) -> TOTPDevice | None:
    """The device that a person has set up and confirmed."""
    return TOTPDevice.objects.filter(user=user, confirmed=True).first()


def is_right(user: User, code: str) -> TOTPDevice | StaticDevice | None:
    """The device to which a code of this person belongs, now used up; None for a wrong one, or while too many were.

    Six digits are a one-time code, anything else a recovery code; so a slip at one never makes the other wait.
    """
    kind = TOTPDevice if code.isascii() and code.isdecimal() and len(code) == CODE_LETTERS else StaticDevice
    with transaction.atomic():  # under a lock, so that a code never serves twice
        device = kind.objects.select_for_update().filter(user=user, confirmed=True).first()
        return device if device is not None and device.verify_token(code) else None


def pass_with(request: HttpRequest, code: str) -> bool:
    """Let the session of whoever is logged in through with a right code."""
    device = is_right(request.user, code)
    if device is None:
        return False
    login(request, device)
    return True


# ------------------------------------------------------------------------------------------------- setting it up


def device_to_set_up(user: User) -> TOTPDevice:
    """The device a person is setting up; its key stays the same until a code of it confirms it."""
    return TOTPDevice.objects.get_or_create(user=user, confirmed=False, defaults={"name": "authenticator"})[0]


def confirm(request: HttpRequest, code: str) -> list[str] | None:
    """Confirm the device being set up, and answer the recovery codes, shown this once; None for a wrong code."""
    with transaction.atomic():
        device = TOTPDevice.objects.select_for_update().filter(user=request.user, confirmed=False).first()
        if device is None or not device.verify_token(code):
            return None
        TOTPDevice.objects.filter(user=request.user, confirmed=True).delete()
        device.confirmed = True
        device.save()
    login(request, device)
    return new_recovery_codes(request.user)


def new_recovery_codes(user: User) -> list[str]:
    """Ten fresh codes in the place of the old ones; each serves once, for whoever lost the device."""
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    with transaction.atomic():
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user, name="recovery codes", confirmed=True)
        StaticToken.objects.bulk_create([StaticToken(device=device, token=code) for code in codes])
    return codes


def recovery_codes_left(user: User) -> int:
    return StaticToken.objects.filter(device__user=user).count()


def forget(user: User) -> None:
    """Take the device and the codes away, for whoever lost both; an administrator does that, and it is on record."""
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
