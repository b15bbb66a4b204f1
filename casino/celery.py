"""The Celery application: tasks live in each app's `tasks.py`, its settings in casino/settings.py (CELERY_…)."""

import os

from celery import Celery
from celery.signals import task_prerun

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["casino", "jackpot", "ledger"])


@task_prerun.connect
def _leave_broken_connections(**_: object) -> None:
    """A task after PostgreSQL's restart opens a new connection, as a page does (settings, CELERY_DB_REUSE_MAX)."""
    from django.db import close_old_connections

    close_old_connections()
