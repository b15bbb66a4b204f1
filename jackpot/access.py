"""Who may do what with progressives where the address alone can't say; the rest stands in `casino/access.py`."""

from casino.roles import DEALER, FLOOR

TRAY_PAYERS = (DEALER, FLOOR)
"""Who hands chips out of a tray; the cage pays cash and cheques."""
