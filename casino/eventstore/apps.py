"""The event store as a Django app; it has a migration and no models."""

from django.apps import AppConfig


class EventStoreConfig(AppConfig):
    """Registers the log's migration."""

    name = "casino.eventstore"
    label = "eventstore"
