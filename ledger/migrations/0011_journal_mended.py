"""What is left of an entry has to balance after a deletion: so a journal that was tampered with can be mended."""

from django.db import migrations

LEFT = """
CREATE FUNCTION journal_left_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE out record;
BEGIN
    SELECT l.position, sum(l.micros) AS micros INTO out
      FROM (SELECT DISTINCT position FROM moved) AS touched JOIN public.journal_line l USING (position)
     GROUP BY l.position, left(l.account, 1) = '1' HAVING sum(l.micros) <> 0 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry % does not balance any more: it is out by % micro-units', out.position, out.micros
            USING ERRCODE = 'CL010';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER balanced_taken ON journal_line;
CREATE TRIGGER balanced_left AFTER DELETE ON journal_line REFERENCING OLD TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION journal_left_balanced();
ALTER TABLE journal_line ENABLE ALWAYS TRIGGER balanced_left;
"""
BACK = """
DROP TRIGGER balanced_left ON journal_line;
DROP FUNCTION journal_left_balanced;
CREATE TRIGGER balanced_taken AFTER DELETE ON journal_line REFERENCING OLD TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION journal_balanced();
ALTER TABLE journal_line ENABLE ALWAYS TRIGGER balanced_taken;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0010_boxes_and_cage"),
    ]

    operations = [migrations.RunSQL(LEFT, reverse_sql=BACK)]
