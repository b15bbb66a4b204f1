"""The gate: before any view runs, the table of `casino/access.py` is asked whether this person or device may.

Pages are asked for in a middleware, the interface in the permission that every operation has unless it says otherwise,
since there a device's token may speak. Fail closed: what has no row is open to nobody.
"""

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from axes.helpers import get_client_ip_address
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode
from django.utils.module_loading import import_string
from rest_framework import exceptions
from rest_framework.permissions import BasePermission

from casino import second_factor
from casino.access import row_of
from casino.admission import OWN_TABLE, Access
from casino.models import AccessRefusal, Device
from casino.refusal import Refused
from casino.roles import held, in_words

if TYPE_CHECKING:  # views ask the settings for a permission, so importing them here would be a circle
    from rest_framework.request import Request
    from rest_framework.views import APIView

logger = logging.getLogger(__name__)

METHODS = ("GET", "HEAD", "OPTIONS", "POST")
PATH_LETTERS = 400
NO_ROLE = "You have no role in this house yet. Ask whoever keeps the log-ins to give you one."
BY_DRF = ("api/",)
"""Below these, Django REST framework finds out who comes, and the permission `ByTable` asks."""


class DeviceUser(AnonymousUser):
    """A device that has shown its token."""

    def __init__(self, device: Device) -> None:
        super().__init__()
        self.device = device

    @property
    def is_authenticated(self) -> bool:  # type: ignore[override]
        return True

    def get_username(self) -> str:
        return f"device:{self.device.name}"


def roles_of(user: AbstractBaseUser | AnonymousUser) -> frozenset[str]:
    """The roles of a person, with what these include; a device and a stranger have none. One query a request."""
    if not user.is_authenticated or isinstance(user, DeviceUser):
        return frozenset()
    names = getattr(user, "_roles", None)
    if names is None:
        names = held(user.groups.values_list("name", flat=True))  # type: ignore[attr-defined]
        user._roles = names  # type: ignore[union-attr]
    return names


def has_role(user: AbstractBaseUser | AnonymousUser, *roles: str) -> bool:
    """Whether the user has one of the roles; Django's superusers have none by that (admin moves no money)."""
    return bool(roles_of(user) & set(roles))


def whose(row: Access, method: str) -> str:
    """Whose this is, in words, for those whose it isn't."""
    by_device = {"": "", OWN_TABLE: ", or the device of the table"}.get(row.device(method), ", or a device")
    return f"This is for {in_words(row.roles(method))}{by_device}."


# ------------------------------------------------------------------------------------------------- pages


class Gate(MiddlewareMixin):
    """Lets a request through to its page, or says why not."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """None lets the view run."""
        route = request.resolver_match.route if request.resolver_match else ""
        row = row_of(route)
        if row is None:
            logger.error("The address %r has no row in casino/access.py, so it is closed to everybody.", route)
            return refused(request, "Nobody has said who may open this page, so nobody may.")
        if route.startswith(BY_DRF) or _is_open(row, request, kwargs):
            return None
        if not request.user.is_authenticated:
            return _log_in_first(request, row)
        if not row.offers(request.method or ""):
            return HttpResponseNotAllowed([method for method in METHODS if row.offers(method)])
        roles = roles_of(request.user)
        if not row.admits(roles, request.method or ""):
            return refused(request, whose(row, request.method or "") if roles else NO_ROLE)
        if second_factor.is_due(request, roles) and not row.is_before_second_factor:
            return redirect(f"{reverse('second_factor')}?{urlencode({'next': request.get_full_path()})}")
        return None


def refused(request: HttpRequest, sentence: str) -> HttpResponse:
    """The page that says whose this is."""
    note_refusal(request, request.user.get_username(), sentence)
    return render(request, "403.html", {"sentence": sentence}, status=403)


def note_refusal(request: HttpRequest, who: str, sentence: str) -> None:
    """Keep it for whoever reads the log of log-ins and refusals, since somebody tried."""
    logger.warning("%s was refused %s %s: %s", who, request.method, request.path, sentence)
    AccessRefusal.objects.create(
        who=who,
        method=request.method,
        path=request.path.replace("\0", "�")[:PATH_LETTERS],
        sentence=sentence,
        ip_address=get_client_ip_address(request),
    )


def _is_open(row: Access, request: HttpRequest, parts: Mapping[str, Any]) -> bool:
    """Whether no log-in is asked for: it is public, or opened just now, or a machine has shown the settings' token."""
    if row.is_public:
        return True
    if row.opened_by and row.offers(request.method or "") and import_string(row.opened_by)(*parts.values()):
        return True
    token = getattr(settings, row.bearer_setting) if row.bearer_setting else ""
    shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bool(token) and constant_time_compare(shown, token)


def _log_in_first(request: HttpRequest, row: Access) -> HttpResponse:
    """A browser is sent to the log-in; a stream and a machine can't be, and are told."""
    if row.bearer_setting:
        words = f"Log in, or send {row.bearer_setting} as a bearer token.\n"
        return HttpResponse(words, status=401, headers={"WWW-Authenticate": "Bearer"}, content_type="text/plain")
    if "text/event-stream" in request.headers.get("Accept", ""):
        return HttpResponseForbidden("Log in first.", content_type="text/plain; charset=utf-8")
    return redirect_to_login(request.get_full_path())


# ------------------------------------------------------------------------------------------------- the interface


class ByTable(BasePermission):
    """The permission of every operation of the interface."""

    def has_permission(self, request: "Request", view: "APIView") -> bool:
        """Raises MethodNotAllowed, PermissionDenied with whose it is, `wrong_table` and `second_factor_missing`."""
        match = request._request.resolver_match
        row, method = row_of(match.route if match else ""), request.method or ""
        if row is None:
            raise exceptions.PermissionDenied("Nobody has said who may do this, so nobody may.")
        if not request.user.is_authenticated:
            return row.is_public
        if not row.offers(method):
            raise exceptions.MethodNotAllowed(method)
        user = request.user
        is_device = isinstance(user, DeviceUser)
        if not (_device_may(user, row.device(method), view) if is_device else row.admits(roles_of(user), method)):
            note_refusal(request._request, user.get_username(), whose(row, method))
            raise exceptions.PermissionDenied(whose(row, method))
        if not is_device and second_factor.is_due(request._request, roles_of(user)):
            raise Refused("second_factor_missing", "Log in on the pages and give your one-time code there first.")
        return True


def _device_may(user: DeviceUser, which: str, view: "APIView") -> bool:
    """Refuses `wrong_table` where the address names a table that the device is not bound to."""
    table = view.kwargs.get("table")
    if which and table is not None and table != user.device.table_code:
        bound = f"The device {user.device.name} is bound to table {user.device.table_code}"
        raise Refused("wrong_table", f"{bound} and may not act at {table}.")
    return bool(which)
