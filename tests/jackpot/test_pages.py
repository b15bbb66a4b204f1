"""The pages of the progressives: everybody sees and presses what is theirs, and every figure is the meter's."""

import json
import re
import zipfile
from io import BytesIO

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from casino.eventstore import follower
from casino.eventstore.follower import catch_up
from jackpot import forms, models
from jackpot.commands import cases
from tests.jackpot.test_cases import a_hit, by, states

ROYAL_FLUSH = "As Ks Qs Js Ts"


@pytest.fixture(autouse=True)
def followed(monkeypatch, settings):
    """The running followers' part: what was pressed is read before the page comes back. No second factor here."""
    settings.CASINO_SECOND_FACTOR = False
    monkeypatch.setattr(forms, "wait_until_read", lambda position: catch_up())
    for module in ("jackpot.link_views", "jackpot.case_views"):
        monkeypatch.setattr(f"{module}.wait_until_read", lambda position: catch_up())


@pytest.fixture
def browser(database):
    """A browser in which somebody of a role has logged in under a name."""

    def log_in(name: str, role: str) -> Client:
        user = User.objects.create_user(name)
        user.groups.add(Group.objects.get_or_create(name=role)[0])
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return log_in


def text_of(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def press(client: Client, name: str, *where, **given):
    answer = client.post(reverse(name, args=where), {"key": f"page-{len(given)}-{name}-{given}", **given})
    return client.get(answer["Location"]) if answer.status_code == 302 else answer


@pytest.fixture
def hit(floor):
    return a_hit(floor, ROYAL_FLUSH, seats=(1, 2))


def address(hit) -> tuple:
    return (hit.link, hit.round.table, hit.round.gaming_date.isoformat(), hit.round.n, hit.rank)


def test_all_links_are_listed_with_what_is_owed_and_whether_it_ties(hit, browser):
    said = text_of(browser("ben", "accounting").get("/progressives/"))
    assert "grand" in said
    assert "5,000.00" in said
    assert "5,001.30 2 shares" in said
    assert "✓ tied" in said
    assert "hit pending" in said
    assert "Set up a link" not in said


def test_a_link_is_set_up_on_its_page_and_what_is_refused_keeps_what_was_typed(floor, browser):
    max_ = browser("max", "progressive_admin")
    given = {"code": "silver", "game": "54-card-roulette", "base_cents": "1,000.00", "reset_cents": "1000"}
    answer = press(max_, "set_up_link", **given, increment_bp="6500", hidden_bp="9000", stake_cents="1")
    assert answer.status_code == 422
    assert "take more than the stake" in text_of(answer)
    assert 'value="1,000.00"' in answer.content.decode()
    answer = press(max_, "set_up_link", **given, increment_bp="6500", hidden_bp="1000", stake_cents="1")
    assert "Link silver is set up" in text_of(answer)
    assert models.Link.objects.get(code="silver").main_micros == 1_000_000_000


def test_a_meters_page_says_why_it_stands_there_and_what_may_be_done(hit, browser):
    said = text_of(browser("otto", "auditor").get("/progressives/grand/"))
    assert "Every micro-unit is accounted for" in said
    assert "6500 + 1000 bp" in said
    assert "Propose a change" not in said
    assert "Propose a change" in text_of(browser("max", "progressive_admin").get("/progressives/grand/"))
    assert browser("ana", "floor").get("/progressives/gold/").status_code == 404


def test_a_change_goes_its_way_over_two_peoples_pages(floor, browser):
    catch_up()
    max_, ben = browser("max", "progressive_admin"), browser("ben", "accounting")
    said = text_of(press(max_, "link_changes_propose", "grand", limit_cents="9,000.00", reason="A higher sign."))
    assert "Change 1 proposed by max: limit 9,000.00." in said
    refused = press(max_, "link_changes_approve", "grand", number="1")
    assert (refused.status_code, "somebody else has to approve it" in text_of(refused)) == (403, True)
    assert "approved by ben" in text_of(press(ben, "link_changes_approve", "grand", number="1"))
    said = text_of(press(max_, "link_changes_make", "grand", number="1"))
    assert "Posted limit 9,000.00" in said


def test_a_stopped_link_is_marked_and_taken_again(floor, browser):
    catch_up()
    max_ = browser("max", "progressive_admin")
    said = text_of(press(max_, "link_stop", "grand", reason="The sign is dark."))
    assert "The bet is not taken. The sign is dark." in said
    refused = press(max_, "link_resume", "grand", source="house", shown_cents="1.00")
    assert "set the sign" in text_of(refused)
    assert "The bet is not taken" not in text_of(press(max_, "link_resume", "grand", source="house"))


def test_an_adjustment_is_typed_in_the_currency_with_its_sign(floor, browser):
    catch_up()
    max_, ben = browser("max", "progressive_admin"), browser("ben", "accounting")
    asked = {"pool": "main", "micros": "-0.0065", "reason": "malfunction", "evidence": "Photograph 12."}
    assert "main −0.0065, malfunction" in text_of(press(max_, "link_requests_adjustment", "grand", **asked))
    press(ben, "link_requests_approve", "grand", number="1")
    assert models.Link.objects.get().main_micros == 5_000_000_000 - 6_500
    odd = press(max_, "link_requests_adjustment", "grand", **(asked | {"micros": "much"}))
    assert "is not an amount; write it like" in text_of(odd)


def test_a_winner_is_paid_over_the_pages_of_four_people(hit, browser):
    sue, cara, pia = browser("sue", "surveillance"), browser("cara", "cage"), browser("pia", "pit_manager")
    press(sue, "case_verify", *address(hit), log_reference="CCTV 4711")
    said = text_of(press(cara, "case_prepare", *address(hit), seat="1", paid_from="cage"))
    assert "2,500.65 from the cage W-2G , prepared by cara" in said
    assert "Pay 2,500.65" not in said
    press(pia, "case_approve", *address(hit), seat="1")
    said = text_of(press(cara, "case_pay", *address(hit), seat="1"))
    assert states(hit) == ["paid", "verified"]
    assert "Hand a payout over: done." in said
    assert "2 winners 1 paid 2,500.65 1 verified 2,500.65" in said
    refused = press(cara, "case_pay", *address(hit), seat="2")
    assert refused.status_code in (403, 409)


def test_a_void_slip_stays_with_its_winner_by_its_number(hit, browser):
    cara = browser("cara", "cage")
    cases.verify(by("sue"), hit)
    press(cara, "case_prepare", *address(hit), seat="1", paid_from="cage")
    press(cara, "case_void_slip", *address(hit), seat="1", reason="Wrong way.")
    said = text_of(press(cara, "case_prepare", *address(hit), seat="1", paid_from="cheque"))
    assert "Slip 1 is void: Wrong way. (cara)" in said
    assert "2 , 2,500.65 by cheque" in said


def test_what_is_refused_on_a_hit_stands_on_its_page(hit, browser):
    answer = press(browser("cara", "cage"), "case_prepare", *address(hit), seat="1", paid_from="cage")
    assert answer.status_code == 409
    assert "The share of seat 1 is pending" in text_of(answer)


def test_seats_are_ticked(hit, browser):
    press(browser("ana", "floor"), "case_dispute", *address(hit), seats=["2"], reason="Whose chip?")
    assert states(hit) == ["pending", "disputed"]


def test_the_slip_is_printed_in_two_parts_and_every_later_copy_is_a_reprint(hit, browser):
    cara = browser("cara", "cage")
    cases.verify(by("sue"), hit)
    cases.prepare_payout(by("cara"), hit, cases.Asked(1, "cage"))
    catch_up()
    assert "NOT PRINTED" in text_of(cara.get(reverse("payout_slip", args=[*address(hit), 1])))
    said = text_of(press(cara, "case_print", *address(hit), seat="1"))
    assert (said.count("ORIGINAL"), said.count("W-2G")) == (2, 2)
    assert "royal flush" in said
    cara.post(reverse("case_print", args=address(hit)), {"key": "again", "seat": "1"})
    assert "REPRINT 2" in text_of(cara.get(reverse("payout_slip", args=[*address(hit), 1])))
    assert cara.get(reverse("payout_slip", args=[*address(hit), 2])).status_code == 404


def test_the_evidence_is_the_record_itself_with_its_seals(hit, browser):
    follower.seal()
    sue = browser("sue", "surveillance")
    said = text_of(sue.get(reverse("hit", args=address(hit))))
    assert "The completed hand is under a seal" in said
    answer = sue.get(reverse("hit_evidence", args=address(hit)))
    pack = json.loads(answer.content)
    assert [card["card"] for card in pack["cards"]] == ROYAL_FLUSH.split()
    assert {"name": "ana", "did": pack["people"][0]["did"]} in pack["people"]
    assert pack["hit"]["amount_cents"] == 500_130
    assert [one["type"] for one in pack["record"]][-1] in ("hand_completed", "round_settled")
    assert all(len(one["hash"]) == 64 for one in pack["record"])
    assert pack["meter"][0]["type"] == "hand_completed"
    assert pack["seals"]
    assert "attachment" in answer["Content-Disposition"]


def test_a_day_is_read_explained_and_stated_on_its_page(hit, browser):
    ben, day = browser("ben", "accounting"), hit.round.gaming_date.isoformat()
    said = text_of(press(ben, "link_readings", "grand", shown_cents="4,999.90", back_to_day=day))
    assert "Reconciliation of grand" in said
    assert "−0.10" in said
    assert "Not explained." in said
    explained = {"gaming_date": day, "number": "1", "explanation": "The sign lags.", "back_to_day": day}
    assert "The sign lags. (ben)" in text_of(press(ben, "link_readings_explain", "grand", **explained))
    assert "wins −5,001.30" in text_of(ben.get(reverse("meter_day", args=["grand", day])))


def test_the_month_and_the_payables_are_stated_and_kept_as_spreadsheets(hit, browser):
    ben, month = browser("ben", "accounting"), hit.round.gaming_date.isoformat()[:7]
    assert "Monthly statement of grand" in text_of(ben.get(reverse("meter_month", args=["grand", month])))
    said = text_of(ben.get("/jackpots/"))
    assert "today 5,001.30 2 shares" in said
    assert "Meters, statements and winners say the same" in said
    for name, where in (("month_xlsx", ["grand", month]), ("payables_xlsx", [])):
        with zipfile.ZipFile(BytesIO(ben.get(reverse(name, args=where)).content)) as book:
            cells = book.read("xl/worksheets/sheet1.xml").decode()
        assert "<v>5000" in cells if name == "month_xlsx" else "<v>2500.65</v>" in cells


@pytest.mark.parametrize(
    "where", ["/progressives/gold/", "/progressives/grand/months/2026-13/", "/progressives/a%00b/"]
)
def test_an_address_of_nothing_is_answered_in_words(floor, browser, where):
    catch_up()
    assert browser("ben", "accounting").get(where).status_code in (400, 404)


def test_a_missed_player_is_asked_for_on_the_hits_page_and_granted_by_another_person_on_the_links(hit, browser):
    catch_up()
    sue, ben = browser("sue", "surveillance"), browser("ben", "accounting")
    given = {"round": str(hit.round), "rank": hit.rank, "reason": "The chip lay under a stack.", "evidence": "CCTV 12"}
    said = text_of(press(sue, "link_requests_missed-player", "grand", **given, seats=["5"]))
    assert "missed player: royal flush of round" in said
    said = text_of(press(ben, "link_requests_approve", "grand", number="1"))
    assert "Nothing is asked for" in said
    said = text_of(browser("max", "progressive_admin").get(reverse("hit", args=address(hit))))
    assert "A missed player, seat 5. The house pays the same share, 2,500.65 each." in said
    assert "The chip lay under a stack. CCTV 12 sue, approved by ben" in said
    assert models.Share.objects.get(seat=5).state == "pending"
