from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("casino", "0003_slips"), ("eventstore", "0002_checkpoint")]

    operations = [
        migrations.AddField("tableboard", "pit", models.TextField(null=True)),
        migrations.AddField("tableboard", "par_cents", models.BigIntegerField(null=True)),
        migrations.AddField("tableboard", "fill_line_cents", models.BigIntegerField(null=True)),
        # What the set-ups say of these is known to the log alone: the floor is folded anew from the first event.
        migrations.RunSQL(
            "DELETE FROM checkpoint WHERE name = 'board'; DELETE FROM board_round; DELETE FROM board_table;",
            migrations.RunSQL.noop,
        ),
    ]
