"""The Celery application: tasks live in each app's `tasks.py`, its settings in casino/settings.py (CELERY_…)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["casino", "jackpot", "ledger"])
