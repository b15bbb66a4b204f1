"""The web server's way in: `uvicorn casino.asgi:application`.

Under ASGI every request runs its database work in a thread of its own, so connections are kept in a pool.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
os.environ.setdefault("CASINO_POOL_SIZE", "16")

from django.core.asgi import get_asgi_application

application = get_asgi_application()
