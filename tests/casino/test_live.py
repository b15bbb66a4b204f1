"""The stream that says that something moved."""

import asyncio
import json

import pytest
import redis as sync_redis
from django.test import AsyncClient, Client

from casino.eventstore.follower import position_of
from casino.eventstore.management.commands.follow import Announcer
from casino.live import CHANNEL, moves


def first_words(count: int, life_seconds: float, after_first=lambda: None) -> list[str]:
    """The first `count` texts of a stream; `after_first` happens once the stream listens."""

    async def listen() -> list[str]:
        said = []
        async for text in moves(life_seconds):
            said.append(text)
            if len(said) == 1:
                after_first()
            if len([one for one in said if not one.startswith(":")]) == count:
                break
        return said

    return [one for one in asyncio.run(listen()) if not one.startswith(":")]


def test_a_message_of_the_channel_is_passed_on_as_it_is(redis_url: str) -> None:
    moved = json.dumps({"by": "board", "position": 7, "tables": ["R-01"]})

    def publish() -> None:
        with sync_redis.Redis.from_url(redis_url) as client:
            client.publish(CHANNEL, moved)

    hello, event = first_words(2, 10, publish)
    assert "event: hello" in hello
    assert event == f"event: moved\ndata: {moved}\n\n"


def test_every_follower_says_that_it_has_read_on_and_at_which_tables(played, redis_url: str) -> None:
    with sync_redis.Redis.from_url(redis_url) as client, client.pubsub(ignore_subscribe_messages=True) as channel:
        channel.subscribe(CHANNEL)
        channel.get_message(timeout=5)
        announcer = Announcer("ratings")
        announcer.moved(5, 5)
        announcer.moved(0, position_of("ratings"))
        said = json.loads(channel.get_message(timeout=5)["data"])
    assert said == {"by": "ratings", "position": position_of("ratings"), "tables": ["R-01", "R-02", "R-03"]}


def test_a_stream_ends_itself(redis_url: str) -> None:
    assert len(first_words(99, 0.3)) == 1


def test_without_redis_the_stream_says_so_and_ends() -> None:
    (away,) = first_words(99, 5)
    assert "event: away" in away
    assert "retry: 10000" in away


def test_a_stranger_gets_no_stream(database) -> None:
    assert asyncio.run(_get(AsyncClient())).status_code == 403


def test_who_is_logged_in_gets_one(people, redis_url: str, client_of) -> None:
    client = AsyncClient()
    client.cookies = client_of("ana").cookies
    answer = asyncio.run(_get(client))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-cache, no-transform"


async def _get(client: AsyncClient):
    return await client.get("/live/", headers={"Accept": "text/event-stream"})


@pytest.mark.parametrize("path", ["/", "/login/"])
def test_only_a_page_of_somebody_who_is_logged_in_opens_a_stream(people, ana: Client, path: str) -> None:
    assert b"data-stream" not in Client().get(path, follow=True).content
    assert b'data-stream="/live/"' in ana.get("/").content
