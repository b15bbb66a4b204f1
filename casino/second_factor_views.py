"""The second step of the log-in: a one-time code given, a device set up, recovery codes shown this once."""

import base64
import contextlib
import io

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.qr import write_qrcode_image

from casino import second_factor
from casino.gate import roles_of

WRONG = "This code is wrong, used or too old; give the next one. After several wrong codes wait a little between them."


def _next(request: HttpRequest) -> str:
    """Where somebody was going; an address of another site is none."""
    asked = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if is_ours else settings.LOGIN_REDIRECT_URL


@never_cache
@require_http_methods(["GET", "POST"])
def second_factor_(request: HttpRequest) -> HttpResponse:
    """Ask for the code of the device, or a recovery code; whoever has given it sees how their second factor stands."""
    if second_factor.device_of(request.user) is None:
        return redirect(f"{reverse('set_up_second_factor')}?{urlencode({'next': _next(request)})}")
    wrong = ""
    if request.method == "POST" and not request.user.is_verified():
        if second_factor.pass_with(request, request.POST.get("code", "").replace(" ", "")):
            return redirect(_next(request))
        wrong = WRONG
    shown = {
        "wrong": wrong,
        "next": _next(request),
        "is_verified": request.user.is_verified(),
        "codes_left": second_factor.recovery_codes_left(request.user),
        "is_asked": second_factor.is_asked_of(roles_of(request.user)),
    }
    return render(request, "registration/second_factor.html", shown, status=422 if wrong else 200)


@never_cache
@require_http_methods(["GET", "POST"])
def set_up(request: HttpRequest) -> HttpResponse:
    """Set a device up. Whoever has one gives its code first, so that a password alone never brings another one in."""
    if second_factor.device_of(request.user) and not request.user.is_verified():
        return redirect("second_factor")
    wrong = ""
    if request.method == "POST":
        codes = second_factor.confirm(request, request.POST.get("code", "").replace(" ", ""))
        if codes is not None:
            return _codes(request, codes)
        wrong = WRONG
    device = second_factor.device_to_set_up(request.user)
    key = base64.b32encode(device.bin_key).decode().rstrip("=")
    shown = {
        "wrong": wrong,
        "next": _next(request),
        "key": " ".join(key[at : at + 4] for at in range(0, len(key), 4)),
        "address": device.config_url,
        "picture": _picture(device),
        "is_asked": second_factor.is_asked_of(roles_of(request.user)),
        "renews": second_factor.device_of(request.user) is not None,
    }
    return render(request, "registration/set_up_second_factor.html", shown, status=422 if wrong else 200)


def _picture(device: TOTPDevice) -> str:
    """The QR code as base64 of an SVG; "" where no library that draws one is installed."""
    drawn = io.BytesIO()
    with contextlib.suppress(ModuleNotFoundError):
        write_qrcode_image(device.config_url, drawn)
    return base64.b64encode(drawn.getvalue()).decode()


@never_cache
@require_POST
def new_codes(request: HttpRequest) -> HttpResponse:
    """Ten new recovery codes; the old ones are worth nothing from now on."""
    if not request.user.is_verified():
        return redirect("second_factor")
    return _codes(request, second_factor.new_recovery_codes(request.user))


def _codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    messages.success(request, "Your second factor is set up.")
    return render(request, "registration/recovery_codes.html", {"codes": codes, "next": _next(request)})
