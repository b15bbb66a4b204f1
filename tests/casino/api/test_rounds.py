"""A round by HTTP: the way through, and every way it may not go."""

import json
from typing import Any

import pytest

from casino.commands.settlement import settle_due
from casino.eventstore import store
from tests.casino.api.conftest import Terminal
from tests.counts import tray

CARDS = ["As", "Kd", "9h", "4c", "2s"]


def refused(answer: Any, code: str, status: int) -> str:
    """The sentence of a refusal, once code, status and content type are as they should be."""
    assert (answer.status_code, answer.json().get("code")) == (status, code), answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    sentence = answer.json()["detail"]
    assert sentence.endswith((".", "…")), sentence
    return str(sentence)


def post_text(terminal: Terminal, text: str) -> Any:
    """A body that no JSON library would write."""
    path, key = f"/api/v1/rounds/{terminal.round}/wagers/", {"Idempotency-Key": "text"}
    return terminal.client.post(path, text, content_type="application/json", headers=key)


def events_in_the_log() -> int:
    return int(store.run("SELECT count(*) AS n FROM log.event").fetchone().n)


def test_a_round_goes_from_opening_to_settlement(playing: Terminal) -> None:
    assert playing.bet((1, "colour:red", 1000), (2, "split:Ks+As", 500), (2, "three_of_a_kind", 200)).status_code == 201
    assert playing.bet((1, "progressive", 100), (2, "progressive", 100)).status_code == 201
    assert playing.on_round("close-bets").json()["status"] == "closed"
    assert playing.on_round("collect-progressive", {"count": 2}).status_code == 201
    assert playing.on_round("cards", {"cards": CARDS}).json()["status"] == "complete"
    settle_due()
    round_ = playing.read()
    assert round_["status"] == "settled"
    assert round_["hand"] == {"rank": "high_card", "roulette_card": "Kd", "cards": CARDS}
    assert [phase["phase"] for phase in round_["settlements"]] == ["roulette", "poker"]
    lines = {line["wager"]: line["returned_cents"] for phase in round_["settlements"] for line in phase["lines"]}
    assert lines == {"colour:red": 2000, "split:As+Ks": 0, "three_of_a_kind": 0}


def test_cards_may_come_one_by_one_and_the_roulette_wagers_are_settled_first(playing: Terminal) -> None:
    playing.bet((1, "colour:red", 1000), (1, "three_of_a_kind", 200))
    playing.on_round("close-bets")
    playing.on_round("cards", {"cards": [{"card": None}]})
    playing.on_round("cards", {"cards": ["Kd"]})
    settle_due()
    assert [phase["phase"] for phase in playing.read()["settlements"]] == ["roulette"]
    for position, card in ((3, "9h"), (4, "4c"), (5, "2s")):
        assert playing.on_round("cards", {"cards": [{"card": None}]}).status_code == 201, position
        assert playing.on_round("cards", {"cards": [{"card": card, "position": position}]}).status_code == 201
    assert playing.on_round("cards", {"cards": [{"card": "As", "position": 1}]}).json()["status"] == "complete"
    settle_due()
    assert [phase["phase"] for phase in playing.read()["settlements"]] == ["roulette", "poker"]


def test_a_whole_finished_round_is_recorded_at_once(terminal: Terminal) -> None:
    terminal.open_table()
    wagers = [
        {"seat": 3, "wager": "colour:black", "stake_cents": 700},
        {"seat": 3, "wager": "progressive", "stake_cents": 100},
    ]
    answer = terminal.at_table("rounds/finished", {"wagers": wagers, "cards": CARDS, "progressive_count": 1})
    assert (answer.status_code, answer.json()["status"]) == (201, "complete")
    settle_due()
    terminal.round = answer.json()["round"]
    assert terminal.read()["status"] == "settled"


def test_until_no_more_bets_a_wager_may_be_changed_or_withdrawn(playing: Terminal) -> None:
    playing.bet((1, "colour:red", 1000), (1, "suit:s", 300))
    changed = playing.on_round("wagers/change", {"number": 1, "stake_cents": 1500}).json()
    assert changed["wagers"][0]["stake_cents"] == 1500
    left = playing.on_round("wagers/withdraw", {"number": 2}).json()["wagers"]
    assert [wager["number"] for wager in left] == [1]
    playing.on_round("close-bets")
    refused(playing.on_round("wagers/change", {"number": 1, "stake_cents": 2000}), "no_more_bets", 409)
    refused(playing.on_round("wagers/withdraw", {"number": 1}), "no_more_bets", 409)


def test_a_repeated_command_answers_as_the_first_time_though_the_round_has_moved_on(playing: Terminal) -> None:
    body = {"wagers": [{"seat": 1, "wager": "colour:red", "stake_cents": 1000}]}
    first = playing.on_round("wagers", body, key="the-same")
    playing.on_round("close-bets")
    written = events_in_the_log()
    again = playing.on_round("wagers", body, key="the-same")
    assert (first.status_code, again.status_code) == (201, 200)
    assert {**first.json(), "replayed": True} == again.json()
    assert events_in_the_log() == written


def test_the_same_key_with_other_content_names_what_differs(playing: Terminal) -> None:
    playing.bet((1, "colour:red", 1000))
    playing.on_round("wagers", {"wagers": [{"seat": 1, "wager": "suit:s", "stake_cents": 500}]}, key="k")
    answer = playing.on_round("wagers", {"wagers": [{"seat": 1, "wager": "suit:h", "stake_cents": 500}]}, key="k")
    assert "wagers" in refused(answer, "key_reused", 409)
    assert answer.json()["differs"] == ["wagers"]


def test_a_wager_off_the_limits_is_taken_with_a_warning_and_marked(playing: Terminal) -> None:
    answer = playing.bet((1, "colour:red", 200_000)).json()
    assert answer["wagers"][0]["exceptions"] == ["over_maximum"]
    assert "settled in full" in answer["warnings"][0]


WAGER_REFUSALS = [
    ("colour:green", 500, "unknown_colour", 422),
    ("nonsense", 500, "unknown_wager", 422),
    ("", 500, "unknown_wager", 422),
    ("straight_up:Zz", 500, "unknown_card", 422),
    ("split:As+Ad", 500, "cards_do_not_touch", 422),
    ("corner:X1+As+Ah+Ks", 500, "joker_in_a_corner", 422),
    ("split_rank:2+A", 500, "ranks_do_not_touch", 422),
    ("colour:red", 0, "stake_not_positive", 422),
    ("colour:red", -500, "stake_not_positive", 422),
    ("colour:red", 10**14, "stake_too_large", 422),
    ("colour:red", 10**30, "bad_request", 400),
    ("colour:red", 5.5, "bad_request", 400),
    ("colour:red", 500.0, "bad_request", 400),
    ("colour:red", "500", "bad_request", 400),
    ("colour:red", True, "bad_request", 400),
    ("colour:red", None, "bad_request", 400),
    (17, 500, "bad_request", 400),
    ("progressive", 200, "side_bet_price", 422),
]


@pytest.mark.parametrize(("wager", "stake", "code", "status"), WAGER_REFUSALS)
def test_a_wager_is_refused_and_nothing_is_written(
    playing: Terminal, wager: Any, stake: Any, code: str, status: int
) -> None:
    written = events_in_the_log()
    good = {"seat": 1, "wager": "suit:s", "stake_cents": 500}
    answer = playing.on_round("wagers", {"wagers": [good, {"seat": 1, "wager": wager, "stake_cents": stake}]})
    refused(answer, code, status)
    assert events_in_the_log() == written


@pytest.mark.parametrize("seat", [0, 9, -1, 10**6])
def test_a_seat_the_table_does_not_have_is_refused(playing: Terminal, seat: int) -> None:
    refused(playing.bet((seat, "colour:red", 500)), "seat_out_of_range", 422)


def test_a_second_progressive_on_a_seat_is_refused(playing: Terminal) -> None:
    playing.bet((1, "progressive", 100))
    refused(playing.bet((1, "progressive", 100)), "second_progressive", 409)


def test_unknown_fields_are_refused_by_name(playing: Terminal) -> None:
    answer = playing.on_round("wagers", {"wagers": [{"seat": 1, "wager": "suit:s", "stake_cents": 500, "tip": 1}]})
    assert "tip" in refused(answer, "bad_request", 400)
    assert "colour" in refused(playing.on_round("close-bets", {"colour": "red"}), "bad_request", 400)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "",
        "[1,2]",
        "null",
        "\x00",
        '{"wagers": NaN}',
        "[" * 5000,
        '"text"',
        '{"a":1',
        '{"a\\u0000":1}',
        '{"wagers":["\\ud800"]}',
    ],
)
def test_malformed_json_is_refused(playing: Terminal, text: str) -> None:
    answer = playing.client.post(
        f"/api/v1/rounds/{playing.round}/wagers/",
        text,
        content_type="application/json",
        headers={"Idempotency-Key": "j"},
    )
    assert answer.status_code == 400, answer.content
    assert answer.json()["code"] in ("malformed_json", "bad_request")


TWICE = [
    ('{"wagers": [], "wagers": []}', "'wagers'"),
    ('{"wagers": [{"seat": 1, "wager": "suit:s", "stake_cents": 100, "stake_cents": 900000}]}', "'stake_cents'"),
    ('{"tip": 1, "tip": 1}', "'tip'"),
]


@pytest.mark.parametrize(("text", "name"), TWICE)
def test_a_field_given_twice_is_refused_by_name_and_nothing_is_written(playing: Terminal, text: str, name: str) -> None:
    written = events_in_the_log()
    assert name in refused(post_text(playing, text), "field_twice", 400)
    assert events_in_the_log() == written


def test_a_buy_in_that_says_two_amounts_is_refused(playing: Terminal) -> None:
    path, key = "/api/v1/tables/R-01/buy-ins/", {"Idempotency-Key": "two amounts"}
    text = '{"amount_cents": 100, "amount_cents": 900000}'
    answer = playing.client.post(path, text, content_type="application/json", headers=key)
    assert "'amount_cents'" in refused(answer, "field_twice", 400)


def test_a_body_over_the_limit_is_refused_without_a_traceback(playing: Terminal, caplog: Any) -> None:
    body = '{"wagers": "' + "x" * 5_000_000 + '"}'
    assert "2,621,440 bytes" in refused(post_text(playing, body), "body_too_large", 413)
    assert not [record for record in caplog.records if record.exc_info]


def test_a_form_over_the_limit_is_refused_as_well(playing: Terminal, client: Any, caplog: Any) -> None:
    kind = "application/x-www-form-urlencoded"
    answer = client.post("/login/", "username=" + "x" * 5_000_000, content_type=kind)
    assert answer.status_code == 413
    assert b"2,621,440 bytes" in answer.content
    assert not [record for record in caplog.records if record.exc_info]


SHAPES = [
    ("[1, 2]", "The body must be an object with named fields."),
    ("null", "The body may not be null."),
    ('{"wagers": {}}', "wagers must be a list."),
    ('{"wagers": [7]}', "wagers[0] must be an object with named fields."),
]


@pytest.mark.parametrize(("text", "sentence"), SHAPES)
def test_a_body_of_another_shape_is_refused_in_the_words_of_json(playing: Terminal, text: str, sentence: str) -> None:
    answer = post_text(playing, text)
    assert refused(answer, "bad_request", 400) == sentence
    assert "dictionary" not in answer.content.decode()
    assert "type " not in answer.content.decode()


def test_half_a_character_is_refused_and_quoted_back(playing: Terminal) -> None:
    body = '{"wagers": [{"seat": 1, "wager": "\\ud800", "stake_cents": 500}], "\\udfff": 1}'
    answer = playing.client.post(
        f"/api/v1/rounds/{playing.round}/wagers/",
        body,
        content_type="application/json",
        headers={"Idempotency-Key": "h"},
    )
    assert answer.status_code == 400
    json.loads(answer.content)


def test_every_post_needs_a_key(playing: Terminal) -> None:
    answer = playing.client.post(f"/api/v1/rounds/{playing.round}/close-bets/", {}, format="json")
    refused(answer, "key_missing", 400)


CARD_REFUSALS = [
    (["As", "Kd", "9h", "4c", "As"], "card_twice"),
    (["As", "Kd", "9h", "4c", "2s", "3s"], "sixth_card"),
    (["As", "1x"], "unknown_card"),
    (["As", "kd"], "unknown_card"),
    ([{"card": None}, {"card": None}], "roulette_card_face_up"),
    (["As", {"card": "As", "position": 1}], "roulette_card_first"),
    ([{"card": "As", "position": 9}], "position_out_of_range"),
]


@pytest.mark.parametrize(("cards", "code"), CARD_REFUSALS)
def test_cards_that_can_not_be_are_refused_and_nothing_is_written(playing: Terminal, cards: Any, code: str) -> None:
    playing.bet((1, "colour:red", 500))
    playing.on_round("close-bets")
    written = events_in_the_log()
    refused(playing.on_round("cards", {"cards": cards}), code, 422)
    assert events_in_the_log() == written


def test_no_card_before_no_more_bets_nor_before_the_progressive_is_counted(playing: Terminal) -> None:
    playing.bet((1, "progressive", 100), (2, "progressive", 100))
    refused(playing.on_round("cards", {"cards": CARDS}), "bets_open", 409)
    refused(playing.on_round("collect-progressive", {"count": 2}), "bets_open", 409)
    playing.on_round("close-bets")
    refused(playing.on_round("cards", {"cards": CARDS}), "progressive_not_collected", 409)
    sentence = refused(playing.on_round("collect-progressive", {"count": 3}), "progressive_count_differs", 422)
    assert "3" in sentence
    assert "2" in sentence
    assert playing.on_round("collect-progressive", {"count": 2}).status_code == 201
    refused(playing.on_round("collect-progressive", {"count": 2}), "already_collected", 409)
    assert playing.on_round("cards", {"cards": CARDS}).status_code == 201


def test_a_voided_round_takes_nothing_more_and_its_wagers_go_back(playing: Terminal) -> None:
    playing.bet((1, "colour:red", 500), (1, "progressive", 100))
    playing.on_round("close-bets")
    playing.on_round("collect-progressive", {"count": 1})
    answer = playing.approved("void", {"reason": "Cards exposed"}).json()
    assert answer["status"] == "voided"
    assert answer["voided"] == {
        "reason": "Cards exposed",
        "scope": "round",
        "refunds": [
            {"number": 1, "seat": 1, "stake_cents": 500},
            {"number": 2, "seat": 1, "stake_cents": 100},
        ],
        "requested_by": "device:R-01 terminal",
        "approved_by": "eve",
        "misdeal": None,
    }
    refused(playing.on_round("cards", {"cards": CARDS}), "round_voided", 409)
    refused(playing.approved("void", {"reason": "Again"}), "round_voided", 409)


def test_a_misdeal_keeps_the_offending_card_and_voids_the_round(playing: Terminal) -> None:
    playing.bet((1, "colour:red", 500))
    playing.on_round("close-bets")
    playing.on_round("cards", {"cards": ["As"]})
    answer = playing.approved("misdeal", {"reason": "The ace of spades came twice", "card": "As", "position": 2})
    assert answer.json()["status"] == "voided"
    assert answer.json()["voided"]["misdeal"] == playing.read()["voided"]["misdeal"] == {"card": "As", "position": 2}
    refused(playing.approved("misdeal", {"reason": "Once more"}), "round_voided", 409)


def test_after_the_roulette_phase_is_paid_only_the_rest_is_voided(playing: Terminal) -> None:
    playing.bet((1, "colour:red", 500), (1, "flush", 100))
    playing.on_round("close-bets")
    playing.on_round("cards", {"cards": ["As", "Kd"]})
    settle_due()
    answer = playing.approved("void", {"reason": "Deck fouled"}).json()
    assert answer["voided"]["scope"] == "poker_and_progressive"
    assert [phase["phase"] for phase in answer["settlements"]] == ["roulette"]


def test_a_settled_round_and_a_round_with_a_hit_are_not_voided(playing: Terminal) -> None:
    playing.on_round("close-bets")
    playing.on_round("cards", {"cards": CARDS})
    settle_due()
    refused(playing.approved("void", {"reason": "Too late"}), "round_settled", 409)
    playing.open_round()
    playing.bet((1, "progressive", 100))
    playing.on_round("close-bets")
    playing.on_round("collect-progressive", {"count": 1})
    playing.on_round("cards", {"cards": ["9d", "8d", "7d", "6d", "5d"]})
    refused(playing.approved("void", {"reason": "Too good"}), "round_has_hit", 409)


def test_the_next_round_opens_once_this_one_is_over(playing: Terminal) -> None:
    refused(playing.at_table("rounds"), "round_open", 409)
    playing.on_round("close-bets")
    playing.on_round("cards", {"cards": CARDS})
    assert playing.at_table("rounds").status_code == 201


def test_a_table_closes_only_without_an_open_round_and_takes_none_when_closed(playing: Terminal) -> None:
    closer = {"closer": tray(5_000_000)}
    refused(playing.at_table("close", closer), "round_open", 409)
    playing.approved("void", {"reason": "Closing"})
    assert playing.at_table("close", closer).json()["done"] == "closed"
    refused(playing.at_table("rounds"), "table_closed", 409)
    refused(playing.at_table("buy-ins", {"amount_cents": 100}), "table_closed", 409)


def test_a_device_may_not_act_at_another_table(playing: Terminal) -> None:
    for path in ("tables/R-02/rounds/", "tables/R-02/buy-ins/", "rounds/R-02/2026-11-29/1/cards/"):
        refused(playing.post(path, {"cards": CARDS}), "wrong_table", 403)


def test_without_a_token_or_with_a_wrong_one_nothing_is_done(playing: Terminal) -> None:
    playing.client.credentials()
    assert playing.on_round("close-bets").status_code in (401, 403)
    playing.client.credentials(HTTP_AUTHORIZATION="Token 1.wrong")
    refused(playing.on_round("close-bets"), "bad_token", 401)


@pytest.mark.parametrize(
    "path", ["rounds/R-01/2026-11-29/77/", "rounds/R-01/yesterday/1/", "rounds/R-01/2026-11-29/0/"]
)
def test_a_round_that_does_not_exist_is_not_found(terminal: Terminal, path: str) -> None:
    refused(terminal.get(path), "unknown_round", 404)


@pytest.mark.parametrize(
    "query", ["gaming_date=", "table_code=", "gaming_date=yesterday", "table_code=R-01&gaming_date="]
)
def test_an_empty_filter_of_the_rounds_is_refused_as_a_bad_one_is(playing: Terminal, query: str) -> None:
    refused(playing.get(f"rounds/?{query}"), "bad_request", 400)
    assert playing.get("rounds/?table_code=R-01").status_code == 200


def test_a_record_that_was_tampered_with_is_a_refusal_and_not_a_fault(playing: Terminal, role_connection: Any) -> None:
    playing.bet((1, "colour:red", 500))
    owner = role_connection("postgres")
    owner.execute("ALTER TABLE log.event DISABLE TRIGGER append_only")
    owner.execute("UPDATE log.event SET payload = '{}' WHERE type = 'wager_placed'")
    assert "verify" in refused(playing.on_round("close-bets"), "record_broken", 409)
    owner.execute("DELETE FROM log.event WHERE type = 'round_opened'")
    refused(playing.on_round("close-bets"), "record_broken", 409)
