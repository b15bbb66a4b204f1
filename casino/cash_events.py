"""What is known later of people's cash: who a described person was, and which reports were filed."""

from datetime import date

from casino.eventstore.registry import Event, event


def person_key(property_code: str, patron_id: int) -> str:
    """The stream of what is recorded of a patron besides play."""
    return f"{property_code}/patron/{patron_id}"


def reports_key(property_code: str, gaming_date: date) -> str:
    """The stream of a gaming day's currency reports."""
    return f"{property_code}/currency-reports/{gaming_date.isoformat()}"


@event("patron_merged")
class PatronMerged(Event):
    """A patron known by description turned out to be another: their cash is one person's from the first day on."""

    patron_id: int
    into_id: int
    reason: str
    by: str


@event("currency_report_filed")
class CurrencyReportFiled(Event):
    """A currency transaction report was filed for a person's cash of a gaming day, one direction."""

    patron_id: int
    direction: str
    amount_cents: int
    number: str
    by: str
