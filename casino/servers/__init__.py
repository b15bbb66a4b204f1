"""Real PostgreSQL and Redis for a machine that has neither, kept in `var/` and stopped when nobody uses them.

Standard library only, so that manage.py can start the servers before Django reads its settings.
"""
