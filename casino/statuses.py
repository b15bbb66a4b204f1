"""The HTTP status of a refusal: 422, unless its code stands in one of these lists, a line or two a noun."""

NOT_FOUND = {
    "unknown_table", "unknown_round", "unknown_patron", "unknown_slip", "unknown_paper",
    "unknown_link", "unknown_hit", "unknown_change", "unknown_request", "unknown_reading", "unknown_between",
    "unknown_alert",
    "unknown_table_day", "unknown_dealer", "unknown_entry", "unknown_pit", "unknown_session", "unknown_count",
}  # fmt: skip
FORBIDDEN = {
    "wrong_table", "wrong_role", "not_allowed", "not_on_duty", "minimum_raised", "not_holder",
    "approval_wrong", "approver_role", "approver_locked", "code_wrong", "second_factor_missing", "same_person",
    "counted_it_themselves", "own_count", "not_of_team",
}  # fmt: skip
CONFLICT = {
    "key_reused", "busy", "already_acknowledged", "already_merged",
    "table_open", "table_closed", "table_still_open", "already_counted",
    "round_open", "round_voided", "round_settled", "round_has_hit", "not_settled", "session_over", "payout_as_recorded",
    "no_more_bets", "bets_open", "already_collected", "progressive_not_collected", "second_progressive",
    "wager_decided", "late_bet_collected", "hand_dealt",
    "side_bet_disabled", "side_bet_offered",
    "out_of_turn", "no_decision_due", "decisions_open", "already_played", "already_folded",
    "slip_open", "slip_prepared", "slip_not_prepared", "slip_void", "slip_complete", "request_withdrawn",
    "out_of_order", "too_near_roll",
    "link_in_play", "link_in_use", "link_stopped", "link_retired", "already_stopped", "not_stopped", "reading_differs",
    "meter_behind", "already_approved", "not_approved", "not_due", "notice_missing", "too_few_tables",
    "readings_differ", "pool_not_empty", "jackpots_payable", "opening_reading_missing",
    "day_not_over", "not_read", "difference_unexplained", "already_reconciled",
    "link_exists", "already_joined", "on_another_link", "not_joined", "display_as_it_is",
    "share_not_pending", "share_not_verified", "share_not_prepared", "share_not_approved", "share_not_disputed",
    "return_asked", "no_return_asked", "no_slip", "share_not_paid", "already_refilled", "already_a_hit", "has_a_share",
    "round_not_complete",
    "dealer_on_duty", "dealer_elsewhere", "no_dealer", "no_deck", "deck_here", "deck_not_here", "deck_count_off",
    "limits_as_posted",
    "no_check", "check_elsewhere", "more_than_owed", "less_than_nothing_owed", "already_used", "table_was_open",
    "table_not_there", "already_recorded", "progressive_affected",
    "round_of_another_period", "paid_elsewhere_already", "nothing_differs",
    "report_incomplete", "already_audited",
    "already_closed", "earlier_day_open", "day_not_ready", "day_not_closed", "nothing_to_override", "day_not_begun",
    "already_investigated", "no_investigation", "investigation_open", "investigation_concluded",
    "box_collected", "box_not_due", "boxes_missing", "box_not_ready", "box_in_progress", "boxes_uncounted",
    "not_counted", "count_open", "count_closed", "drop_accepted", "not_recounted", "drop_not_accepted",
    "too_many_boxes", "already_void", "not_in_count",
    "seat_taken", "seat_empty", "seat_unrated", "seat_in_play", "patron_seated", "patron_erased",
}  # fmt: skip
BAD_REQUEST = {"bad_request", "bad_key", "key_missing", "malformed_json", "field_twice"}

STATUSES = ((404, NOT_FOUND), (403, FORBIDDEN), (409, CONFLICT), (400, BAD_REQUEST))


def status_of(code: str) -> int:
    """The HTTP status of a refusal's code."""
    return next((status for status, codes in STATUSES if code in codes), 422)
