from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0006_day_lines"),
    ]

    operations = [
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "link", "source", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("link", models.TextField()),
                ("source", models.TextField()),
                ("heard_at", models.DateTimeField()),
                ("heard_from", models.TextField()),
                ("key", models.TextField()),
                ("shown_cents", models.BigIntegerField(null=True)),
            ],
            options={
                "db_table": "jackpot_heartbeat",
            },
        ),
    ]
