from django.apps import AppConfig
from django.conf import settings

from casino import games


class CasinoConfig(AppConfig):
    name = "casino"

    def ready(self) -> None:
        games.use_folders(*settings.CASINO_GAMES)
