"""Somebody's own log-in: the one-time code at its second step, a device set up, recovery codes, the password."""

import base64
import contextlib
import io

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import PasswordChangeView
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.qr import write_qrcode_image

from casino import second_factor
from casino.gate import note_refusal, roles_of
from casino.roles import ROLES, in_words
from casino.web import page

WRONG = "This code is wrong, used or too old; give the next one. After several wrong codes wait a little between them."


def _next(request: HttpRequest) -> str:
    """Where somebody was going; an address of another site is none."""
    asked = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if is_ours else settings.LOGIN_REDIRECT_URL


def _wrong(request: HttpRequest) -> str:
    note_refusal(request, request.user.get_username(), "A wrong one-time code.")
    return WRONG


@page
def your_log_in(request: HttpRequest) -> HttpResponse:
    """Who somebody is here, and what they do."""
    roles = roles_of(request.user)
    shown = {
        "roles": [(in_words([role]), does) for role, does in ROLES.items() if role in roles],
        "has_device": second_factor.device_of(request.user) is not None,
        "is_asked": second_factor.is_asked_of(roles),
    }
    return render(request, "registration/your_log_in.html", shown)


class Password(PasswordChangeView):
    """A password of one's own in the place of the one that was given."""

    template_name = "registration/password.html"
    success_url = reverse_lazy("your_log_in")

    def form_valid(self, form: Form) -> HttpResponse:
        messages.success(self.request, "Your password is changed.")
        return super().form_valid(form)


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
        wrong = _wrong(request)
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
        wrong = _wrong(request)
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
