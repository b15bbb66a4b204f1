from django.db import migrations

# The books are folded anew from the first event: their new tables hold periods where the old ones held days.
FROM_THE_START = "DELETE FROM checkpoint WHERE name = 'books'; DELETE FROM dealer_error;"


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_dealer_errors"), ("eventstore", "0002_checkpoint")]

    operations = [migrations.DeleteModel(name="TableDay"), migrations.RunSQL(FROM_THE_START, migrations.RunSQL.noop)]
