"""The HTTP interface of the progressives: links set up, joined and left, meters and hits read."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.commands.order import Done
from casino.web import KEY, Pages, Strict, Text, WholeNumber, body_of, order_of, problems
from jackpot import models, queries
from jackpot.commands import displays, links

WRITE_PROBLEMS = problems(400, 401, 403, 404, 409, 413, 422)
READ_PROBLEMS = problems(400, 401, 403, 404, 422)

# ------------------------------------------------------------------------------------------------- bodies


class SetUpLink(Strict):
    """A new link. What is left out is the game's first bet and tiers, and the house's default terms."""

    code = Text(max_length=80)
    game = Text(max_length=80)
    bet = Text(max_length=80, required=False)
    tiers_name = Text(max_length=80, required=False)
    base_cents = WholeNumber(required=False)
    reset_cents = WholeNumber(required=False)
    stake_cents = WholeNumber(required=False)
    increment_bp = WholeNumber(required=False)
    hidden_bp = WholeNumber(required=False)
    limit_cents = WholeNumber(required=False, allow_null=True)
    odd_cents = Text(max_length=80, required=False)
    overflow_rule = Text(max_length=80, required=False)
    tiers = serializers.DictField(child=Text(max_length=20), required=False, allow_empty=False)
    acknowledged_by = Text(max_length=80, required=False, allow_blank=True)
    level_of = Text(max_length=80, required=False, allow_blank=True)
    heartbeat_of = Text(max_length=20, required=False, allow_blank=True)
    silence_seconds = WholeNumber(required=False)
    taken_over = serializers.BooleanField(required=False)
    occurred_at = serializers.DateTimeField(required=False)


class JoinTable(Strict):
    """The table that is to offer the link's bet."""

    table = Text(max_length=80)
    occurred_at = serializers.DateTimeField(required=False)


class LeaveTable(JoinTable):
    """The table that no longer offers it, and why."""

    reason = Text(max_length=400)


class SwitchDisplay(Strict):
    """Whether everybody may look at the link's display, without a log-in."""

    is_open = serializers.BooleanField()
    occurred_at = serializers.DateTimeField(required=False)


# ------------------------------------------------------------------------------------------------- answers


class LinkCommandAnswer(serializers.Serializer[Any]):
    """What was recorded, and the position of the log by which it is."""

    link = serializers.CharField()
    position = serializers.IntegerField()
    replayed = serializers.BooleanField()


COMMAND_ANSWERS = {200: LinkCommandAnswer, 201: LinkCommandAnswer} | WRITE_PROBLEMS


class HitAnswer(serializers.ModelSerializer[models.Hit]):
    """A hit: what it met, what it won, how it was split, what it left. `recorded` once its event is read back."""

    recorded = serializers.SerializerMethodField()

    class Meta:
        model = models.Hit
        fields = [
            "link", "round", "table_code", "gaming_date", "occurred_at", "at_position", "rank", "fraction",
            "before_micros", "amount_cents", "players", "share_cents", "remainder_cents", "left_micros",
            "from_reserve_micros", "from_seed_micros", "after_micros", "seats", "shares_cents", "states", "state",
            "recorded",
        ]  # fmt: skip

    def get_recorded(self, hit: models.Hit) -> bool:
        return hit.recorded_position is not None


class MeterAnswer(serializers.Serializer[Any]):
    """A meter as it stood at `position`; cents are cut down, `display_cents` is what the sign shows."""

    code = serializers.CharField()
    game = serializers.CharField()
    bet = serializers.CharField()
    currency = serializers.CharField()
    stake_cents = serializers.IntegerField()
    reset_cents = serializers.IntegerField()
    display_cents = serializers.IntegerField()
    reserve_cents = serializers.IntegerField()
    overflow_cents = serializers.IntegerField()
    payable_cents = serializers.IntegerField()
    pending = serializers.BooleanField()
    hits_count = serializers.IntegerField()
    tables = serializers.ListField(child=serializers.CharField())
    last_hits = HitAnswer(many=True)
    position = serializers.IntegerField()

    def to_representation(self, instance: models.Link) -> dict[str, Any]:
        return dict(super().to_representation(queries.view_of(instance)))


class TermAnswer(serializers.Serializer[Any]):
    """A term of the identity in micro-units."""

    name = serializers.CharField()
    micros = serializers.IntegerField()


class ExplainedMeterAnswer(MeterAnswer):
    """A meter with both sides of its identity: their sums are equal."""

    put_in = TermAnswer(many=True)
    held = TermAnswer(many=True)

    def to_representation(self, instance: models.Link) -> dict[str, Any]:
        explained = queries.explanation_of(instance)
        sides = {"put_in": explained.put_in, "held": explained.held}
        terms = {side: [term._asdict() for term in terms] for side, terms in sides.items()}
        return {**MeterAnswer().to_representation(instance), **terms}


# ------------------------------------------------------------------------------------------------- operations


class ByCode(Pages):
    """Links in the order of their codes."""

    ordering = "code"


class NewestFirst(Pages):
    """Hits, the latest first; two of one completed hand in the order in which they met the meter."""

    ordering = ("-at_position", "-nth")


class Links(generics.ListAPIView[models.Link]):
    """All meters; and a new link."""

    queryset = queries.links()
    serializer_class = MeterAnswer
    pagination_class = ByCode
    filter_backends: list[Any] = []

    @extend_schema(summary="All meters", responses={200: MeterAnswer(many=True), **READ_PROBLEMS})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        parameters=[KEY], request=SetUpLink, responses=COMMAND_ANSWERS,
        summary="Set up a link and open its meter",
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        said = body_of(request, SetUpLink)
        order = order_of(request, said.pop("occurred_at", None))
        return answered(said["code"], links.set_up_link(order, **said))


class OneLink(APIView):
    """One meter, explained."""

    @extend_schema(
        responses={200: ExplainedMeterAnswer} | READ_PROBLEMS, summary="One meter, with the sums that explain it"
    )
    def get(self, request: Request, link: str) -> Response:
        return Response(ExplainedMeterAnswer(queries.row_of(link)).data)


@extend_schema(summary="The hits of a link, newest first", responses={200: HitAnswer(many=True), **READ_PROBLEMS})
class Hits(generics.ListAPIView[models.Hit]):
    """The link's hits, as they were folded."""

    queryset = models.Hit.objects.all()
    serializer_class = HitAnswer
    pagination_class = NewestFirst
    filter_backends: list[Any] = []

    def filter_queryset(self, queryset: Any) -> Any:
        queries.check_link(self.kwargs["link"])
        return queryset.filter(link=self.kwargs["link"])


class LinkTables(APIView):
    """A table joins the link."""

    @extend_schema(
        parameters=[KEY], request=JoinTable, responses=COMMAND_ANSWERS,
        summary="Let a table offer the link's bet",
    )  # fmt: skip
    def post(self, request: Request, link: str) -> Response:
        said = body_of(request, JoinTable)
        return answered(link, links.join_table(order_of(request, said.get("occurred_at")), link, said["table"]))


class LeaveLink(APIView):
    """A table leaves the link."""

    @extend_schema(
        parameters=[KEY], request=LeaveTable, responses=COMMAND_ANSWERS,
        summary="Take the link's bet off a table",
    )  # fmt: skip
    def post(self, request: Request, link: str) -> Response:
        said = body_of(request, LeaveTable)
        order = order_of(request, said.get("occurred_at"))
        return answered(link, links.leave_table(order, link, said["table"], said["reason"]))


class LinkDisplay(APIView):
    """The link's display on a wall is opened to everybody, or closed."""

    @extend_schema(
        parameters=[KEY], request=SwitchDisplay, responses=COMMAND_ANSWERS,
        summary="Open the link's display to everybody, or close it",
    )  # fmt: skip
    def post(self, request: Request, link: str) -> Response:
        said = body_of(request, SwitchDisplay)
        order = order_of(request, said.get("occurred_at"))
        return answered(link, displays.switch_display(order, link, is_open=said["is_open"]))


def answered(link: str, done: Done) -> Response:
    """201 for what was done now, 200 for what had been done before."""
    answer = {"link": link, "position": done.position, "replayed": done.replayed}
    return Response(answer, status=200 if done.replayed else 201)
