"""The cage over the interface: chips, checks, service, its count; its float, people's cash, and the alert."""

import pytest

from casino.checks import CheckId
from casino.commands.checks import issue_check, owing
from casino.commands.patrons import make_patron
from casino.eventstore.follower import catch_up, followers
from casino.eventstore.rebuild import rebuild
from casino.models import AlertBoard
from casino.queries.cash import cash_of
from casino.watch import watch
from ledger.models import CageChip, CageEntry
from ledger.queries.cage import chip_float
from tests.count_house import CountHouse

HUNDREDS = {"10000": 5_000_000}
COLE = {"approver": "cole", "password": "cole-password"}


@pytest.fixture
def house(database: object) -> CountHouse:
    """The tables are open and 50,000.00 in chips of 100 are in service."""
    house = CountHouse()
    house.said("cara", "cage/service/", {"way": "in", "chips": HUNDREDS, "reason": "Opening of the house."} | COLE)
    return house


def floats() -> dict[int, tuple[int, int]]:
    """Counted and derived by chip."""
    return {chip.chip_cents: (chip.counted_cents, chip.derived_cents) for chip in CageChip.objects.all()}


def test_the_float_is_what_came_and_went_by_denomination(house: CountHouse) -> None:
    house.said("cara", "cage/sales/", {"chips": {"10000": 300_000}})
    house.said("cole", "cage/redemptions/", {"chips": {"10000": 100_000, "2500": 5_000}})
    house.said("cara", "cage/service/", {"way": "out", "chips": {"2500": 2_500}, "reason": "Worn."} | COLE)
    assert floats() == {10_000: (0, 4_800_000), 2_500: (0, 2_500)}
    sums = {entry.kind: (entry.chips_cents, entry.cash_cents) for entry in CageEntry.objects.all()}
    assert sums["chips_sold"] == (-300_000, 300_000)
    assert sums["chips_redeemed"] == (105_000, -105_000)


def test_a_count_of_two_people_says_what_differs_and_the_float_goes_on_from_it(house: CountHouse) -> None:
    house.said("cara", "cage/counts/", {"counted": HUNDREDS, "counted_by": ["Cara Nolan", "Cole Brandt"]})
    house.said("cara", "cage/sales/", {"chips": {"10000": 300_000}})
    short = {"counted": {"10000": 4_690_000}, "counted_by": ["Cara Nolan", "Cole Brandt"]}
    assert house.refused("cara", "cage/counts/", short)[1] == "text_missing"
    assert house.refused("cara", "cage/counts/", short | {"counted_by": ["Cara Nolan"]})[1] == "team_too_small"
    house.said("cara", "cage/counts/", short | {"note": "One chip of 100 is looked for."})
    assert floats() == {10_000: (4_690_000, 4_690_000)}
    assert chip_float().last_counted_at is not None
    assert CageEntry.objects.get(kind="cage_counted", chips_cents=-10_000).chips == {"10000": -10_000}


def test_a_sale_or_redemption_is_voided_by_two_and_entered_anew(house: CountHouse) -> None:
    sold = house.said("cara", "cage/sales/", {"chips": {"10000": 300_000}})
    day = CageEntry.objects.get(position=sold["position"]).gaming_date.isoformat()
    void = {"gaming_date": day, "position": sold["position"], "reason": "Entered twice."}
    itself = {"approver": "cara", "password": "cara-password"}
    assert house.refused("cara", "cage/voids/", void | itself) == (403, "same_person")
    house.said("cara", "cage/voids/", void | COLE)
    assert floats() == {10_000: (0, 5_000_000)}
    page = house.clients["cara"].get("/cage/").content.decode()
    assert '<span class="tag">void</span>' in page
    assert f"position={sold['position']}" not in page
    assert house.refused("cara", "cage/voids/", void | COLE) == (409, "already_void")
    assert house.refused("cara", "cage/voids/", void | COLE | {"position": 1}) == (404, "unknown_entry")


def test_a_counter_check_is_redeemed_in_chips_and_cash_and_the_rest_deposited(house: CountHouse) -> None:
    patron = make_patron(house.order(), "Ida Roe").patron.pk
    issue_check(house.order(), "R-01", 2, 500_000, patron)
    check = {"patron_id": patron, "year": house.day.year, "serial": 1}
    redeem = check | {"chips": {"10000": 100_000}, "cash_cents": 150_000}
    house.said("cara", "cage/checks/redeem/", redeem)
    assert owing(patron).checks[CheckId(house.day.year, 1)].owed_cents == 250_000
    assert house.refused("cara", "cage/checks/redeem/", check | {"cash_cents": 300_000}) == (409, "more_than_owed")
    house.said("cara", "cage/checks/deposit/", check)
    assert owing(patron).checks[CheckId(house.day.year, 1)].owed_cents == 0
    assert house.refused("cara", "cage/checks/deposit/", check) == (409, "no_check")
    assert cash_of(patron, house.day).in_cents == 150_000


def test_a_redemption_or_deposit_of_a_check_that_never_was_is_owed_again(house: CountHouse) -> None:
    patron = make_patron(house.order(), "Ida Roe").patron.pk
    issue_check(house.order(), "R-01", 2, 500_000, patron)
    check = {"patron_id": patron, "year": house.day.year, "serial": 1}
    paid = house.said("cara", "cage/checks/redeem/", check | {"chips": {"10000": 100_000}, "cash_cents": 150_000})
    sent = house.said("cara", "cage/checks/deposit/", check)
    day = CageEntry.objects.get(position=paid["position"]).gaming_date
    for entry, owed in ((sent, 250_000), (paid, 500_000)):
        void = {"gaming_date": day.isoformat(), "position": entry["position"], "reason": "Another's check."}
        house.said("cara", "cage/voids/", void | COLE)
        assert owing(patron).checks[CheckId(house.day.year, 1)].owed_cents == owed
    assert cash_of(patron, day) == (0, 0)
    assert floats() == {10_000: (0, 5_000_000)}
    voids = CageEntry.objects.filter(kind="cage_entry_voided").order_by("position")
    assert [(one.chips_cents, one.cash_cents) for one in voids] == [(0, 0), (-100_000, -150_000)]
    assert rebuild(followers()["cash"], "owner", check=True, progress=lambda _: None) == []


def test_chips_that_went_into_or_out_of_service_by_mistake_are_put_right_by_two(house: CountHouse) -> None:
    house.said("cara", "cage/service/", {"way": "out", "chips": {"10000": 100_000}, "reason": "Worn."} | COLE)
    for entry in CageEntry.objects.order_by("position"):
        void = {"gaming_date": entry.gaming_date.isoformat(), "position": entry.position, "reason": "A day early."}
        assert house.refused("cara", "cage/voids/", void | COLE | {"gaming_date": "2026-01-02"})[1] == "unknown_entry"
        house.said("cara", "cage/voids/", void | COLE)
        assert house.refused("cara", "cage/voids/", void | COLE) == (409, "already_void")
    assert floats() == {10_000: (0, 0)}


def test_cash_at_the_cage_is_a_persons_cash_of_the_day_in_and_out_apart(house: CountHouse) -> None:
    patron = make_patron(house.order(), "Ida Roe").patron.pk
    sold = house.said("cara", "cage/sales/", {"chips": {"10000": 700_000}, "patron_id": patron})
    house.said("cara", "cage/redemptions/", {"chips": {"10000": 200_000}, "patron_id": patron})
    day = CageEntry.objects.get(position=sold["position"]).gaming_date
    assert cash_of(patron, day) == (700_000, 200_000)
    void = {"gaming_date": day.isoformat(), "position": sold["position"], "reason": "Another's."}
    house.said("cara", "cage/voids/", void | COLE)
    assert cash_of(patron, day) == (0, 200_000)


def test_a_float_below_zero_alerts_and_the_alert_ends_when_the_record_is_right_again(house: CountHouse) -> None:
    house.said("cara", "cage/sales/", {"chips": {"2500": 50_000}})
    watch()
    catch_up()
    alert = AlertBoard.objects.get(rule="float_below_zero")
    assert (alert.table_code, alert.level, alert.ended_at) == ("cage", "critical", None)
    assert "−500.00 in chips of 25.00" in alert.sentence
    seen = house.clients["ana"].get("/alerts/").content.decode()
    assert "−500.00 in chips of 25.00" in seen
    assert 'href="/cage/"' not in seen  # the pit may not go there
    house.said("cole", "cage/redemptions/", {"chips": {"2500": 50_000}})
    watch()
    catch_up()
    assert AlertBoard.objects.get(rule="float_below_zero").ended_at is not None


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("cage/sales/", {"chips": {}}, "nothing_asked"),
        ("cage/sales/", {"chips": {"10000": 5_000}}, "bad_denomination"),
        ("cage/sales/", {"chips": {"ten": 1_000}}, "bad_denomination"),
        ("cage/sales/", {"chips": {"10000": 10_000}, "patron_id": 99}, "unknown_patron"),
        ("cage/redemptions/", {"chips": {"10000": -10_000}}, "bad_denomination"),
        ("cage/checks/redeem/", {"patron_id": 99, "year": 2026, "serial": 1, "cash_cents": 5}, "unknown_patron"),
        ("cage/sales/", {"chips": {"10000": 10_000}, "cheque": True}, "bad_request"),
    ],
)
def test_what_the_cage_can_not_do_is_refused_with_a_sentence(
    house: CountHouse, path: str, body: dict, code: str
) -> None:
    assert house.refused("cara", path, body)[1] == code


def test_the_pages_record_what_is_typed_and_keep_it_where_it_is_wrong(house: CountHouse) -> None:
    cara = house.clients["cara"]
    answer = cara.post("/cage/do/sell/", {"pieces_10000": "3", "patron": "", "key": "page-1"}, format="multipart")
    assert answer.status_code == 302
    catch_up()
    assert floats() == {10_000: (0, 4_970_000)}
    page = cara.get("/cage/").content.decode()
    assert "Chips sold" in page
    wrong = cara.post("/cage/do/sell/", {"pieces_10000": "many", "key": "page-2"}, format="multipart")
    assert wrong.status_code == 422
    assert 'value="many"' in wrong.content.decode()
    assert cara.get("/cage/do/give-away/").status_code == 404


def test_rebuilt_the_cage_is_the_same(house: CountHouse) -> None:
    house.said("cara", "cage/sales/", {"chips": {"10000": 300_000}})
    house.said(
        "cara", "cage/counts/", {"counted": {"500": 500}, "counted_by": ["Cara Nolan", "Cole Brandt"], "note": "All."}
    )
    for name in ("cage", "cash"):
        assert rebuild(followers()[name], "owner", check=True, progress=lambda _: None) == []
