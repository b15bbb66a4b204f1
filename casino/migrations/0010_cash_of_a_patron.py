from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("casino", "0009_side_bet_off")]

    operations = [
        migrations.AddIndex(
            model_name="cashtransaction", index=models.Index(fields=["patron_id"], name="cash_of_patron")
        ),
    ]
