"""The types of event that post nothing, by their words on disk, each with the reason. Pure.

A new type of event either gets a posting or a line here; tests/ledger/test_postings.py walks the registry.
"""

REASONS = {
    "says how a table or a link is set up; no chip and no money moves": (
        "table_set_up", "advantage_acknowledged", "side_bet_offered", "side_bet_suspended", "side_bet_closed",
        "limits_announced", "table_joined", "table_left", "display_switched", "level_added", "link_stopped",
        "link_resumed", "notice_posted",
    ),
    "a stake lies on the layout until it is settled or collected; it is the patron's until then": (
        "wager_placed", "wager_changed", "wager_withdrawn", "bets_closed", "late_bet_voided",
    ),
    "says how a round runs; its settlement posts": (
        "round_opened", "position_drawn", "card_dealt", "card_turned", "decision_made", "misdeal_declared",
        "progressive_miscounted", "round_seat_changed",
    ),
    "sums up what wagers_settled has posted, phase by phase": ("round_settled",),
    "says how a settled round was wrong; the entry_corrected after it posts": ("round_resettled",),
    "records the hit that hand_completed has posted": ("jackpot_hit",),
    "the meter keeps what it holds; stakes are poured by the new terms from here on": (
        "change_proposed", "change_approved", "change_dropped", "change_made",
    ),
    "asks for something; what is done about it posts": (
        "request_made", "request_declined", "return_requested", "return_declined", "transfer_requested",
        "transfer_withdrawn",
    ),
    "a person looks at it; the stakes have posted": ("hit_in_between", "in_between_settled"),
    "tells the round what was posted at the link": ("win_denied", "win_found"),
    "the link is empty before it retires; its transfer or adjustment has posted": ("link_retired",),
    "a step of a hit's case; the payment or the return posts": (
        "share_verified", "share_disputed", "dispute_settled", "payout_prepared", "payout_approved", "payout_voided",
    ),
    "compares a meter with its sign; an adjustment posts": (
        "meter_read", "difference_explained", "meter_day_reconciled",
    ),
    "the opener has posted the difference": ("opener_variance_found",),
    "chips of equal value change their denominations": ("chips_exchanged",),
    "paper is numbered, signed or printed; the chips that move with it post": (
        "slip_prepared", "slip_numbered", "slip_signed", "slip_printed", "late_transfer_recorded",
        "payout_slip_numbered", "payout_printed",
    ),
    "stands beside the entry of a session that posts": ("check_owed", "instrument_marked"),
    "says who is where, or who somebody is": (
        "patron_seated", "patron_left", "rating_estimated", "dealer_on", "dealer_off", "dealer_placed",
        "shift_handed_over", "patron_merged",
    ),
    "is a report, a form or a note": (
        "closed_table_recorded", "report_audited", "currency_report_filed", "checkpoint_taken", "alert_raised",
        "alert_acknowledged", "alert_ended",
    ),
    "says that a gaming day is closed or filed; its totals repeat what other events have posted": (
        "day_close_refused", "day_closed", "day_filed",
    ),
    "looks for why a count differs; the count and its corrections post": (
        "investigation_opened", "investigation_assigned", "investigation_noted", "investigation_concluded",
        "investigation_reopened",
    ),
    "decks are not money": ("deck_moved",),
    "a step of the count; each box's drop_counted posts": (
        "emergency_box_placed", "boxes_collected", "count_opened", "box_counted", "box_recounted",
        "count_difference_recorded", "count_closed", "drop_recounted",
    ),
    "holds paper beside the record; a correction posts": (
        "papers_ticked", "exception_explained",
    ),
}  # fmt: skip

NOTHING = {word: reason for reason, words in REASONS.items() for word in words}
"""The word of every type that posts nothing, with the reason."""
