"""Who may do what with progressives (books, section 7). That a requester never approves is for the core to see to."""

from casino.roles import ACCOUNTING, AUDITOR, CAGE, DEALER, FLOOR, PIT_MANAGER, PROGRESSIVE_ADMIN, SURVEILLANCE

READERS = (FLOOR, PIT_MANAGER, CAGE, ACCOUNTING, PROGRESSIVE_ADMIN, SURVEILLANCE, AUDITOR)
"""Who may look at meters, hits and what is owed."""

PREPARERS = (FLOOR, PIT_MANAGER, CAGE)
"""Who writes payout slips."""

TRAY_PAYERS = (DEALER, FLOOR, PIT_MANAGER)
"""Who hands chips out of a tray; the cage pays cash and cheques."""
