"""The log: its tables, the append, the triggers that refuse every change, and the application's rights."""

from pathlib import Path

from django.db import migrations


class Migration(migrations.Migration):
    """SQL in the file beside this one; the role casino_app is made at server set-up, before any migration."""

    initial = True
    dependencies: list[tuple[str, str]] = []
    operations = [
        migrations.RunSQL(
            Path(__file__).with_suffix(".sql").read_text(),
            reverse_sql=migrations.RunSQL.noop,  # the log is never dropped by a migration
        )
    ]
