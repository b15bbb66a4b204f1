"""The stream that says that something moved."""

import asyncio
import json

import pytest
import redis as sync_redis
from django.test import AsyncClient, Client

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
    moved = json.dumps({"position": 7, "tables": ["R-01"]})

    def publish() -> None:
        with sync_redis.Redis.from_url(redis_url) as client:
            client.publish(CHANNEL, moved)

    hello, event = first_words(2, 10, publish)
    assert "event: hello" in hello
    assert event == f"event: moved\ndata: {moved}\n\n"


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
    return await client.get("/live/")


@pytest.mark.parametrize("path", ["/", "/login/"])
def test_only_a_page_of_somebody_who_is_logged_in_opens_a_stream(people, ana: Client, path: str) -> None:
    assert b"data-stream" not in Client().get(path, follow=True).content
    assert b'data-stream="/live/"' in ana.get("/").content
