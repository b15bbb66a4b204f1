from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("casino", "0006_cash"), ("eventstore", "0002_checkpoint")]

    operations = [
        migrations.AddField("tableboard", "dealer", models.TextField(null=True)),
        migrations.AddField("tableboard", "announced", models.JSONField(null=True)),
        # Who dealt and which limits were announced is known to the log alone: the floor is folded anew.
        migrations.RunSQL(
            "DELETE FROM checkpoint WHERE name = 'board'; DELETE FROM board_round; DELETE FROM board_table;",
            migrations.RunSQL.noop,
        ),
    ]
