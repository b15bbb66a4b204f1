"""How the back-office says no: one exception with a code for programs and a sentence for people."""


def in_quotes(text: str) -> str:
    """What somebody sent as it may stand in a sentence: cut short, with � for signs that can't be printed."""
    return "'" + "".join(sign if sign.isprintable() else "�" for sign in text[:40]) + "'"


def counted(number: int, noun: str) -> str:
    """ "1 wager", "0 wagers", "1,200 wagers"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class Refused(Exception):
    """A command that can't be carried out; nothing has been written.

    `code` is a stable snake_case word that programs may rely on. `message` is a full sentence that names the
    thing and says what to do. `details` holds further plain values (numbers, texts, lists) for programs.
    """

    def __init__(self, code: str, message: str, **details: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"
