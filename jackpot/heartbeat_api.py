"""The HTTP interface of heartbeats: a device says that it is alive, and learns whether the bet is taken."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.gate import DeviceUser
from casino.web import KEY, Strict, WholeNumber, body_of, order_of, problems
from jackpot.commands.heartbeats import hear


class HeartbeatBody(Strict):
    """`shown_cents` is what the controller's sign shows; a controller that was silent resumes only with that."""

    shown_cents = WholeNumber(required=False, min_value=0)
    occurred_at = serializers.DateTimeField(required=False)


class HeartbeatAnswer(serializers.Serializer[Any]):
    """For what the device spoke, and whether the bet is taken as far as this goes; else what it waits for."""

    link = serializers.CharField()
    source = serializers.CharField()
    heard_at = serializers.DateTimeField()
    is_taken = serializers.BooleanField()
    waits_for = serializers.CharField()
    replayed = serializers.BooleanField()


ANSWERS = {200: HeartbeatAnswer, 201: HeartbeatAnswer} | problems(400, 401, 403, 404, 409, 413, 422)


class Heartbeats(APIView):
    """The controller of a link, or the feed of one of its tables, is alive."""

    @extend_schema(parameters=[KEY], request=HeartbeatBody, responses=ANSWERS, summary="Say that a device is alive")
    def post(self, request: Request, link: str) -> Response:
        said = body_of(request, HeartbeatBody)
        order = order_of(request, said.get("occurred_at"), source="feed")
        assert isinstance(request.user, DeviceUser)  # the table of who may lets devices in only
        heard = hear(order, link, request.user.device.table_code, said.get("shown_cents"))
        return Response({"link": link, **heard._asdict()}, status=200 if heard.replayed else 201)
