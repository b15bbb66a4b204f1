"""How pages and the HTTP interface speak: devices' tokens, strict bodies, idempotency keys, refusals as problems.

Who may do what is said in `casino/access.py`. A device's token is bound to one table and speaks for its dealer.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import wraps
from typing import IO, Any

import msgspec
from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiParameter
from rest_framework import exceptions, pagination, serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response

from casino.commands.order import Order
from casino.eventstore.registry import UnknownEvent
from casino.eventstore.store import BrokenStream
from casino.games.lines import without_repetition
from casino.gate import DeviceUser
from casino.models import Device
from casino.refusal import Refused, in_quotes
from casino.statuses import status_of as status_of

logger = logging.getLogger(__name__)

KEY_HEADER = "Idempotency-Key"

# ------------------------------------------------------------------------------------------------- pages


def page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page to look at; what is refused becomes a "not found" with the sentence. casino/access.py says who may."""

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Refused as refusal:
            raise Http404(refusal.message) from None

    return answer


YEARS = range(1900, 3000)
"""Of which a house may keep records; what lies days or years beside such a date is a date as well."""


def day_of(text: str) -> date:
    """A gaming date written 2026-11-29 in an address; raises BadRequest with a sentence for anything else."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if day.year not in YEARS:
        raise BadRequest(f"{in_quotes(text)} is not a gaming date; write it like 2026-11-29.")
    return day


class DeviceToken(BaseAuthentication):
    """`Authorization: Token <id>.<secret>`, one token a device, one table a device."""

    def authenticate(self, request: Request) -> tuple[DeviceUser, Device] | None:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() not in ("token", "bearer"):
            return None
        device = Device.of_token(token.strip())
        if device is None:
            raise exceptions.AuthenticationFailed("This device token is not known, or no longer valid.", "bad_token")
        return DeviceUser(device), device

    def authenticate_header(self, request: Request) -> str:
        return "Token"


class DeviceTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the interface's description names a device's token."""

    target_class = "casino.web.DeviceToken"
    name = "deviceToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        text = "Token <the device's token>"
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": text}


# ------------------------------------------------------------------------------------------------- bodies


class StrictJSON(JSONParser):
    """JSON as it is written: a field given twice is refused, NaN is no number, and a body has its greatest size."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raw = stream.read(most + 1)
        if len(raw) > most:
            raise RequestDataTooBig
        try:
            said = json.loads(raw.decode("utf-8"), object_pairs_hook=_fields, parse_constant=_no_constant)
            if b"\\ud" in raw.lower():
                json.dumps(said, ensure_ascii=False).encode()  # half a character is no text
            return said
        except ValueError as error:
            raise exceptions.ParseError(str(error)) from None


def _fields(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names can be printed; a field's value is looked at by the field."""
    if not all(name.isprintable() for name, _ in pairs):
        raise ValueError("A name in the body can't be printed.")
    return without_repetition(pairs)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number.")


class WholeNumber(serializers.IntegerField):
    """A whole number written as one: no text, no fraction, no true or false."""

    default_error_messages = {"invalid": "Write a whole number, without quotes or a fraction."}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("min_value", -(2**63))
        kwargs.setdefault("max_value", 2**63 - 1)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return int(super().to_internal_value(data))


class Text(serializers.CharField):
    """Text written as text; numbers are not taken for it."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class GamingDate(serializers.DateField):
    """A gaming date written 2026-11-29."""

    def to_internal_value(self, value: Any) -> date:
        day: date = super().to_internal_value(value)
        if day.year not in YEARS:
            self.fail("invalid", format="YYYY-MM-DD")
        return day


class Strict(serializers.Serializer[Any]):
    """A body that says no more than it may: unknown fields are refused by name."""

    default_error_messages = {"invalid": "must be an object with named fields."}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(data) - set(self.fields))):
            raise serializers.ValidationError(
                {
                    str(name)[:60]: [f"There is no such field; it may be {', '.join(self.fields) or 'none'}."]
                    for name in unknown
                }
            )
        return super().to_internal_value(data)


def body_of(request: Request, serializer: type[Strict]) -> dict[str, Any]:
    """The checked body; raises ValidationError, which becomes a problem."""
    checked = serializer(data=request.data)
    checked.is_valid(raise_exception=True)
    return dict(checked.validated_data)


def order_of(request: Request, occurred_at: datetime | None = None, source: str = "terminal") -> Order:
    """The order behind a request: who, under which Idempotency-Key, when."""
    key = request.headers.get(KEY_HEADER, "")
    if not key:
        raise Refused("key_missing", f"Send the header {KEY_HEADER} with a text that is new for every command.")
    by = request.user.get_username()
    return Order(by=by, key=key, at=occurred_at or datetime.now(UTC), source=source)


KEY = OpenApiParameter(
    KEY_HEADER, {"type": "string", "minLength": 1, "maxLength": 200}, OpenApiParameter.HEADER, required=True,
    description="A text that is new for every command; the same key and content answers as the first time.",
)  # fmt: skip


class Pages(pagination.CursorPagination):
    """A list page by page. A cursor may say anything; one that is no place in the list is "not found"."""

    page_size = 100
    invalid_cursor_message = "This cursor is no place in the list; begin again without one."

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, DataError):
            raise exceptions.NotFound(self.invalid_cursor_message) from None


# ------------------------------------------------------------------------------------------------- problems


class Problem(serializers.Serializer[Any]):
    """A refusal: `code` for programs, `detail` for people (RFC 9457)."""

    type = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    title = serializers.CharField()
    detail = serializers.CharField()


def problems(*codes: int) -> dict[tuple[int, str], type[Problem]]:
    """How an operation's refusals are described."""
    return {(code, "application/problem+json"): Problem for code in codes}


def problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """Every refusal as `application/problem+json` with a code and a sentence (RFC 9457)."""
    match error:
        case Refused():
            return _answer(status_of(error.code), error.code, error.message, error.details)
        case exceptions.ValidationError():
            faults = _plain(error.detail)
            return _answer(400, "bad_request", _sentence(faults), {"fields": faults})
        case RequestDataTooBig():
            return _answer(413, "body_too_large", too_large())
        case BadRequest():
            return _answer(400, "bad_request", str(error))
        case exceptions.ParseError() | RecursionError():
            return _answer(400, "malformed_json", "The body is not well-formed JSON.")
        case Http404():
            return _answer(404, "not_found", "There is nothing at this address.")
        case PermissionDenied():
            return _answer(403, "not_allowed", str(error) or "You may not do this.")
        case exceptions.APIException():
            codes = error.get_codes()
            code = codes if isinstance(codes, str) else "refused"
            response = _answer(error.status_code, code, str(error.detail))
            if header := getattr(error, "auth_header", None):
                response["WWW-Authenticate"] = header
            return response
        case BrokenStream() | UnknownEvent() | msgspec.MsgspecError():
            logger.exception("A stream can't be read.")
            sentence = (
                "The record of this table or round doesn't fit, and nothing was written; have an auditor run verify."
            )
            return _answer(409, "record_broken", sentence)
        case OperationalError() | InterfaceError():
            logger.exception("The database did not answer.")
            return _answer(503, "database_away", DATABASE_AWAY)
    return None


def _answer(status_code: int, code: str, message: str, details: dict[str, Any] | None = None) -> Response:
    body = _problem(status_code, code, message) | (details or {})
    return Response(body, status=status_code, content_type="application/problem+json")


def _problem(status_code: int, code: str, message: str) -> dict[str, Any]:
    title = code.replace("_", " ")
    return {"type": "about:blank", "status": status_code, "code": code, "title": title, "detail": message}


DATABASE_AWAY = "The database does not answer; try again with the same key."


def too_large() -> str:
    """What is said of a body over the limit."""
    return (
        f"The body is over {settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes, and nothing was written; send less at once."
    )


SHAPES = {
    "not_a_list": "must be a list.",
    "not_a_dict": "must be an object with named fields.",
    "null": "may not be null.",
}
"""What the framework says in Python's words (a dictionary, a type), by its code, in the words of JSON."""


def _plain(detail: Any) -> Any:
    """The faults of a body, by field, in words that whoever sends JSON knows."""
    if isinstance(detail, dict):
        return {name: _plain(inner) for name, inner in detail.items()}
    if isinstance(detail, list):
        return [_plain(inner) for inner in detail]
    return SHAPES.get(getattr(detail, "code", ""), detail)


def _sentence(detail: Any, path: str = "") -> str:
    """The first fault of a body in words: where, and what to do."""
    if isinstance(detail, dict):
        name, inner = next(iter(detail.items()))
        step = f"[{name}]" if isinstance(name, int) else "" if name == "non_field_errors" else f".{name}"
        return _sentence(inner, f"{path}{step}".strip("."))
    if isinstance(detail, list) and detail:
        if isinstance(detail[0], dict | list):
            index, inner = next((i, d) for i, d in enumerate(detail) if d)
            return _sentence(inner, f"{path}[{index}]")
        joint = " " if str(detail[0])[:1].islower() else ": "
        return f"{path or 'The body'}{joint}{detail[0]}"
    return f"{path or 'The body'} is not right."


def plain_problem(request: HttpRequest, status_code: int, code: str, message: str) -> HttpResponse | None:
    """The answer to a program that met a page's refusal at an address of the interface; None for a browser."""
    if not request.path.startswith("/api/"):
        return None
    body = _problem(status_code, code, message)
    return JsonResponse(body, status=status_code, content_type="application/problem+json")
