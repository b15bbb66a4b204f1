from django.db import migrations, models

# Rounds in between have to be found in what is folded already: the log is folded again.
FOLD_AGAIN = """
DELETE FROM jackpot_linked_table;
DELETE FROM jackpot_turn;
DELETE FROM jackpot_flow;
DELETE FROM jackpot_day_line;
DELETE FROM jackpot_hit;
DELETE FROM jackpot_link;
DELETE FROM checkpoint WHERE name = 'meters';
"""


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0007_heartbeats"),
        ("eventstore", "0002_checkpoint"),
    ]

    operations = [
        migrations.RunSQL(FOLD_AGAIN, migrations.RunSQL.noop),
        migrations.AddField(
            model_name="hit",
            name="from_house_micros",
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="hit",
            name="kind",
            field=models.TextField(default="hit"),
        ),
        migrations.CreateModel(
            name="Between",
            fields=[
                ("key", models.TextField(primary_key=True, serialize=False)),
                ("link", models.TextField()),
                ("round", models.TextField()),
                ("table_code", models.TextField()),
                ("gaming_date", models.DateField()),
                ("position", models.BigIntegerField()),
                ("occurred_at", models.DateTimeField()),
                ("stakes_cents", models.BigIntegerField()),
                ("hit", models.TextField()),
                ("hit_at", models.DateTimeField()),
                ("recorded_position", models.BigIntegerField(null=True)),
            ],
            options={
                "db_table": "jackpot_between",
                "indexes": [
                    models.Index(
                        condition=models.Q(("recorded_position__isnull", True)),
                        fields=["position"],
                        name="jackpot_between_unrecorded",
                    )
                ],
            },
        ),
    ]
