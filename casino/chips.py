"""Paper taken for chips, chips exchanged, and winnings that the tray does not pay. Pure."""

import re
from collections.abc import Mapping
from typing import Literal, get_args

from casino.house_events import InstrumentMarked
from casino.money import check_amount, written
from casino.refusal import Refused, in_quotes
from casino.round.state import Round
from casino.session_events import ChipsExchanged, CouponSettled, PromoTaken, WinningsPaidElsewhere
from casino.table import Session, check_seat
from casino.transfers import chips_total

SERIAL = re.compile(r"[A-Z0-9](?:[A-Z0-9-]{0,38}[A-Z0-9])?")
CouponKind = Literal["match_play", "direct_bet"]
Payer = Literal["cage", "cheque"]


def checked_serial(serial: str) -> str:
    """The serial number of a promotional instrument, in capitals; refuses `bad_serial`."""
    serial = serial.strip()
    # What is not ASCII may become ASCII as capitals (ß is SS), and two papers would be one.
    if not serial.isascii() or not SERIAL.fullmatch(serial.upper()):
        raise Refused("bad_serial", f"{in_quotes(serial)} is no serial number; write its letters, digits and hyphens.")
    return serial.upper()


def marked(serial: str, is_used: bool, session: Session, key: str) -> InstrumentMarked:
    """What the instrument's own stream says of it from now on."""
    return InstrumentMarked(serial=serial, is_used=is_used, table=session.table, session=key)


def check_unused(last: InstrumentMarked | None) -> None:
    """Refuse `already_used`: an instrument is taken once in the house."""
    if last is not None and last.is_used:
        raise Refused("already_used", f"{last.serial} was taken at {last.table} already; an instrument is good once.")


def take_promo(session: Session, seats: int, serial: str, seat: int, face_cents: int, by: str) -> PromoTaken:
    """Chips against a promotional instrument, at face; `serial` is a checked one."""
    check_seat(session.table, seats, seat)
    check_amount(face_cents, "The face of a promotional instrument")
    return PromoTaken(table=session.table, serial=serial, seat=seat, face_cents=face_cents, by=by)


def settle_coupon(
    session: Session,
    seats: int,
    *,
    serial: str,
    kind: str,
    seat: int,
    face_cents: int,
    won: bool,
    winnings_cents: int,
    by: str,
) -> CouponSettled:
    """A coupon that won or lost; one that pushed stays on the layout and is no entry. Refuses `bad_coupon`."""
    check_seat(session.table, seats, seat)
    if kind not in get_args(CouponKind):
        raise Refused("bad_coupon", f"{in_quotes(kind)} is no kind of coupon; it is match_play or direct_bet.")
    check_amount(face_cents, "The face of a coupon")
    if won:
        check_amount(winnings_cents, "What a coupon won")
    elif winnings_cents:
        raise Refused("bad_coupon", "A coupon that lost has won nothing; leave its winnings out.")
    return CouponSettled(
        table=session.table,
        serial=serial,
        kind=kind,  # type: ignore[arg-type]
        seat=seat,
        face_cents=face_cents,
        won=won,
        winnings_cents=winnings_cents,
        by=by,
    )


def exchange(
    session: Session, seats: int, seat: int | None, taken: Mapping[str, int], given: Mapping[str, int], by: str
) -> ChipsExchanged:
    """Chips for chips of equal value: a colour-up, or the way back.

    Refuses `exchange_unequal` and `nothing_exchanged`.
    """
    if seat is not None:
        check_seat(session.table, seats, seat)
    came, went = chips_total(taken, "What is taken"), chips_total(given, "What is given")
    if came != went:
        sentence = f"{written(came)} in chips taken is not {written(went)} given; an exchange is of equal value."
        raise Refused("exchange_unequal", sentence, taken_cents=came, given_cents=went)
    if dict(taken) == dict(given):
        raise Refused("nothing_exchanged", "The same chips are taken and given; nothing would change.")
    return ChipsExchanged(table=session.table, seat=seat, given=dict(given), taken=dict(taken), by=by)


def check_won(round_: Round, seat: int, amount_cents: int) -> None:
    """Refuse `more_than_won` where a seat would be paid more than it won in the round."""
    won = sum(
        line.returned_cents - line.stake_cents for line in round_.lines if line.seat == seat and line.result == "win"
    )
    if amount_cents > won:
        raise Refused(
            "more_than_won",
            f"Seat {seat} won {written(won)} in round {round_.id}, less than the {written(amount_cents)} to be paid.",
            won_cents=won,
        )


def pay_elsewhere(
    session: Session, key: str, round_: Round, seat: int, amount_cents: int, paid_by: str, by: str
) -> WinningsPaidElsewhere:
    """Ordinary winnings that cage or cheque pays, of a settled round of this session: once a seat, at most what it won.

    Refuses `bad_payer`, `round_voided`, `not_settled`, `round_of_another_period`, `paid_elsewhere_already` and
    `more_than_won`.
    """
    if paid_by not in get_args(Payer):
        raise Refused("bad_payer", f"{in_quotes(paid_by)} pays no winnings; it is cage or cheque.")
    check_amount(amount_cents, "What is paid elsewhere")
    if round_.voided:
        raise Refused("round_voided", f"Round {round_.id} was voided ({round_.voided.reason}); nothing is due on it.")
    if not round_.settled:
        raise Refused("not_settled", f"Round {round_.id} is not settled; what it won is not known yet.")
    if round_.opened.session != key:
        sentence = f"Round {round_.id} is not of the session that is open at {session.table}; its tray is counted."
        raise Refused("round_of_another_period", sentence)
    if (str(round_.id), seat) in session.elsewhere:
        raise Refused(
            "paid_elsewhere_already", f"Winnings of seat {seat} in round {round_.id} were paid elsewhere before."
        )
    check_won(round_, seat, amount_cents)
    return WinningsPaidElsewhere(
        table=session.table,
        round=str(round_.id),
        seat=seat,
        amount_cents=amount_cents,
        paid_by=paid_by,  # type: ignore[arg-type]
        by=by,
    )
