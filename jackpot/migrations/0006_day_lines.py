from django.db import migrations, models

# The statements came after the meters: the log is folded again, so that they reach back to each link's set-up.
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
        ("jackpot", "0005_link_control"),
        ("eventstore", "0002_checkpoint"),
    ]

    operations = [
        migrations.RunSQL(FOLD_AGAIN, migrations.RunSQL.noop),
        migrations.CreateModel(
            name="DayLine",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "link",
                        "gaming_date",
                        "account",
                        "line",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("link", models.TextField()),
                ("gaming_date", models.DateField()),
                ("account", models.TextField()),
                ("line", models.TextField()),
                ("micros", models.BigIntegerField()),
            ],
            options={"db_table": "jackpot_day_line"},
        ),
        migrations.AddField("Flow", "first_position", models.BigIntegerField(default=0), preserve_default=False),
        migrations.AddField("Flow", "last_position", models.BigIntegerField(default=0), preserve_default=False),
    ]
