from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("casino", "0008_refusals"), ("eventstore", "0002_checkpoint")]

    operations = [
        migrations.AddField("tableboard", "side_bet_off", models.TextField(null=True)),
        # Why a side bet is suspended is known to the log alone: the floor is folded anew.
        migrations.RunSQL(
            "DELETE FROM checkpoint WHERE name = 'board'; DELETE FROM board_round; DELETE FROM board_table;",
            migrations.RunSQL.noop,
        ),
    ]
