from django.apps import AppConfig


class CasinoConfig(AppConfig):
    name = "casino"

    def ready(self) -> None:
        import casino.celery  # noqa: F401  tasks sent from the web process need the application's settings
