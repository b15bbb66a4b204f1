"""Where cards lie: community cards at 1 to 5, the bank's at 91 and 92, those of seat n at 10 × n + 1 and 10 × n + 2."""

from collections.abc import Sequence

from casino.refusal import Refused, in_quotes

SEATS_MAX = 7
BOARD = (1, 2, 3, 4, 5)
FLOP, TURN_AND_RIVER = BOARD[:3], BOARD[3:]
BANK = (91, 92)

HAND, AUTOMATIC_SHUFFLER = "hand", "automatic_shuffler"
METHODS = (HAND, AUTOMATIC_SHUFFLER)

_NAMES = dict(zip(BOARD, ("flop 1", "flop 2", "flop 3", "turn", "river"), strict=True)) | {91: "bank 1", 92: "bank 2"}


def of_seat(seat: int) -> tuple[int, int]:
    """The two positions of a player's hand."""
    return 10 * seat + 1, 10 * seat + 2


def seat_at(position: int) -> int | None:
    """The seat whose hand lies at `position`, None for the community's and the bank's."""
    seat, card = divmod(position, 10)
    return seat if 1 <= seat <= SEATS_MAX and card in (1, 2) else None


def dealing_order(method: str, seats: Sequence[int]) -> tuple[int, ...]:
    """The positions in the order they are dealt to these seats.

    By hand: two to each player, two to the bank, then the community. An automatic shuffler gives the five
    community cards first, then two for each player, and two for the bank (sheet). Refuses `unknown_method`.
    """
    players = tuple(position for seat in sorted(seats) for position in of_seat(seat))
    if method == HAND:
        return (*players, *BANK, *BOARD)
    if method == AUTOMATIC_SHUFFLER:
        return (*BOARD, *players, *BANK)
    raise Refused("unknown_method", f"There is no method {in_quotes(method)}; choose from {', '.join(METHODS)}.")


def name(position: int) -> str:
    """A position in words: "flop 1", "turn", "river", "bank 2", "seat 3, card 1"."""
    seat = seat_at(position)
    if seat is not None:
        return f"seat {seat}, card {position % 10}"
    return _NAMES.get(position, f"card {position}")
