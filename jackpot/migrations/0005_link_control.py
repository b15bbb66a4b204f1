from django.db import migrations, models

# What the rows were made from is in the log: the meters are folded again from its beginning.
FOLD_AGAIN = """
DELETE FROM jackpot_linked_table;
DELETE FROM jackpot_turn;
DELETE FROM jackpot_flow;
DELETE FROM jackpot_hit;
DELETE FROM jackpot_link;
DELETE FROM checkpoint WHERE name = 'meters';
"""


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0004_meters_from_the_start"),
        ("eventstore", "0002_checkpoint"),
    ]

    operations = [
        migrations.RunSQL(FOLD_AGAIN, migrations.RunSQL.noop),
        migrations.AddField("Link", "level_of", models.TextField(default=""), preserve_default=False),
        migrations.AddField("Link", "stopped", models.TextField(default=""), preserve_default=False),
        migrations.AddField("Link", "is_retired", models.BooleanField(default=False), preserve_default=False),
        migrations.AddField("Link", "change_due_at", models.DateTimeField(null=True)),
    ]
