"""The embedded servers: real ones, in folders of their own, started, joined, killed and found again."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis as redis_client

from casino import environment
from casino.refusal import Refused
from casino.servers import embedded, folder, postgres, processes, redis

IS_ROOT = os.geteuid() == 0
QUIET: dict[str, object] = {"say": lambda sentence: None, "durable": False}


@pytest.fixture
def var(tmp_path: Path) -> Iterator[Path]:
    """A folder that only its owner may enter, with no server left in it afterwards."""
    tmp_path.chmod(0o700)
    yield tmp_path / "var"
    for pid in _servers_in(tmp_path / "var"):
        processes.stop(pid, signal.SIGKILL)


def _servers_in(var: Path) -> list[int]:
    return processes.running("postgres", postgres.Postgres(var / "postgres").mark) + redis.Redis(var / "redis").pids()


def _first_process(var: Path) -> int:
    return int((var / "postgres/data/postmaster.pid").read_text().split("\n", 1)[0])


def _user_of(var: Path) -> "subprocess.Popen[str]":
    """Another command that uses the servers until its standard input is closed."""
    program = (
        "import sys\nfrom pathlib import Path\nfrom casino.servers import embedded\n"
        "with embedded.serving(Path(sys.argv[1]), durable=False, say=lambda _: None):\n"
        "    print('up', flush=True)\n    sys.stdin.read()\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(var)], cwd=environment.HOME, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdout
    assert child.stdout.readline() == "up\n"
    return child


def _write(addresses: embedded.Addresses, word: str) -> None:
    with psycopg.connect(addresses.owner, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS public.kept (word text)")
        connection.execute("INSERT INTO public.kept VALUES (%s)", [word])


def _words(addresses: embedded.Addresses) -> list[str]:
    with psycopg.connect(addresses.owner) as connection:
        return [row[0] for row in connection.execute("SELECT word FROM public.kept ORDER BY word")]


def test_the_servers_run_inside_the_block_only_and_keep_their_data(var: Path) -> None:
    with embedded.serving(var, **QUIET) as addresses:
        _write(addresses, "opener")
        with redis_client.Redis.from_url(addresses.redis) as client:
            client.set("meter", "7")
        assert _servers_in(var)
    assert not _servers_in(var)
    with embedded.serving(var, **QUIET) as addresses:
        assert _words(addresses) == ["opener"]
        with redis_client.Redis.from_url(addresses.redis) as client:
            assert client.get("meter") == b"7"


def test_a_command_that_fails_stops_the_servers_too(var: Path) -> None:
    with pytest.raises(ZeroDivisionError), embedded.serving(var, **QUIET):
        raise ZeroDivisionError
    assert not _servers_in(var)


def test_two_commands_share_the_servers_and_the_last_one_out_stops_them(var: Path) -> None:
    with embedded.serving(var, **QUIET):
        first = _first_process(var)
        other = _user_of(var)
        assert _first_process(var) == first
    assert first in _servers_in(var)
    other.communicate()
    assert not _servers_in(var)


def test_commands_that_start_at_the_same_moment_start_one_server(var: Path) -> None:
    program = (
        "import sys\nfrom pathlib import Path\nfrom casino.servers import embedded\nsaid = []\n"
        "with embedded.serving(Path(sys.argv[1]), durable=False, say=said.append):\n"
        "    print(len(said), flush=True)\n    sys.stdin.read()\n"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(var)], cwd=environment.HOME, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        for _ in range(3)]  # fmt: skip
    started = sorted(int(child.stdout.readline()) for child in children if child.stdout)
    for child in children:
        child.communicate()
    assert started == [0, 0, 2]  # PostgreSQL and Redis, by one of them
    assert not _servers_in(var)


def test_servers_whose_command_was_killed_are_found_by_the_next_one_and_stopped(var: Path) -> None:
    killed = _user_of(var)
    first = _first_process(var)
    killed.kill()
    killed.communicate()
    assert first in _servers_in(var)
    with embedded.serving(var, **QUIET):
        assert _first_process(var) == first
    assert not _servers_in(var)


def test_killed_servers_start_again_with_what_was_committed(var: Path) -> None:
    with embedded.serving(var, say=lambda sentence: None) as addresses:
        _write(addresses, "committed")
        for pid in [_first_process(var), *redis.Redis(var / "redis").pids()]:
            processes.stop(pid, signal.SIGKILL)
    assert (var / "postgres/data/postmaster.pid").exists()
    with embedded.serving(var, say=lambda sentence: None) as addresses:
        assert _words(addresses) == ["committed"]


def test_servers_that_are_killed_while_in_use_come_back_at_the_same_address(var: Path) -> None:
    with embedded.serving(var, **QUIET) as addresses:
        embedded.revive(var, addresses, say=pytest.fail)  # nothing to do yet
        for pid in [_first_process(var), *redis.Redis(var / "redis").pids()]:
            processes.stop(pid, signal.SIGKILL)
        assert processes.wait_until(lambda: not redis.Redis(var / "redis").pids(), 10)
        embedded.revive(var, addresses, say=lambda sentence: None)
        with redis_client.Redis.from_url(addresses.redis) as client:
            assert client.ping()
        with psycopg.connect(addresses.app) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_start_that_fails_is_tried_again_before_all_of_it_is_given_up(var: Path) -> None:
    said: list[str] = []  # the first start finds its control file gone

    def say(sentence: str) -> None:
        control, aside = (var / "postgres/data/global" / name for name in ("pg_control", "aside"))
        if len(said) < 2:
            control.rename(aside) if control.exists() else aside.rename(control)
        said.append(sentence)

    with embedded.serving(var, **QUIET) as addresses:
        processes.stop(_first_process(var), signal.SIGKILL)
        assert processes.wait_until(lambda: not postgres.Postgres(var / "postgres").is_running(), 10)
        embedded.revive(var, addresses, say=say)
        assert [sentence.split()[0] for sentence in said] == ["Starting", "PostgreSQL", "Starting"]
        with psycopg.connect(addresses.app) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_pid_file_whose_number_another_process_has_by_now_is_no_obstacle(var: Path) -> None:
    """As after a reboot: the number in the file belongs to a process of the servers' own user."""
    with embedded.serving(var, **QUIET) as addresses:
        _write(addresses, "kept")
        pid_file = (var / "postgres/data/postmaster.pid").read_text()
    bystander = subprocess.Popen(["sleep", "60"], user=65534 if IS_ROOT else None)
    stale = var / "postgres/data/postmaster.pid"
    stale.write_text(pid_file.replace(pid_file.split("\n", 1)[0], str(bystander.pid), 1))
    if IS_ROOT:
        os.chown(stale, 65534, 65534)
    try:
        with embedded.serving(var, **QUIET) as addresses:
            assert _words(addresses) == ["kept"]
    finally:
        bystander.kill()
        bystander.wait()


def test_redis_takes_another_port_when_its_own_is_taken(var: Path) -> None:
    with embedded.serving(var, **QUIET):
        pass
    notes = folder.read_notes(var)
    assert notes
    with socket.create_server(("127.0.0.1", notes.redis_port)), embedded.serving(var, **QUIET) as addresses:
        assert f":{notes.redis_port}/" not in addresses.redis
        with redis_client.Redis.from_url(addresses.redis) as client:
            assert client.ping()


def test_a_path_too_long_for_a_socket_is_got_round(var: Path) -> None:
    deep = var.parent.joinpath(*["a-folder-with-quite-a-long-name"] * 4, "var")
    deep.parent.mkdir(parents=True)
    with embedded.serving(deep, **QUIET) as addresses:
        _write(addresses, "deep")
        assert _words(addresses) == ["deep"]
    socket_folder = postgres.Postgres(deep / "postgres").socket_folder
    assert not socket_folder.is_relative_to(deep)
    assert socket_folder.stat().st_mode & 0o077 == 0
    socket_folder.rmdir()


def test_a_start_that_was_cut_short_leaves_nothing_in_the_way(var: Path) -> None:
    folder.make_var(var, *_ids())
    folder.make_folder(var / "postgres", *_ids())
    (var / "postgres/data.new").mkdir()
    (var / "postgres/data.new/PG_VERSION").write_text("half")
    with embedded.serving(var, **QUIET) as addresses:
        _write(addresses, "made")


def _ids() -> tuple[int, int]:
    return (65534, 65534) if IS_ROOT else (os.geteuid(), os.getegid())


def test_nothing_in_var_is_open_to_others_and_no_folder_above_it_is_touched(var: Path) -> None:
    before = [(above, above.stat().st_mode, above.stat().st_uid) for above in var.parents]
    with embedded.serving(var, **QUIET):
        open_to_others = [path for path in var.rglob("*") if path.lstat().st_mode & 0o077 and not path.is_socket()]
        outermost = {path for path in open_to_others if path.parent not in open_to_others}
        assert not [path for path in outermost if _can_be_reached_by_others(path, var)]
    assert [(above, above.stat().st_mode, above.stat().st_uid) for above in var.parents] == before


def _can_be_reached_by_others(path: Path, var: Path) -> bool:
    return all(above.stat().st_mode & 0o011 for above in [var, *path.relative_to(var).parents] if above != Path("."))


def test_passwords_are_needed_and_the_server_listens_on_no_network(var: Path) -> None:
    with embedded.serving(var, **QUIET) as addresses:
        for url in (addresses.app, addresses.owner, addresses.superuser):
            with pytest.raises(psycopg.OperationalError, match="password"):
                psycopg.connect(url.replace(url.split(":")[2].split("@")[0], "guessed"))
        stranger = redis_client.Redis.from_url("redis://" + addresses.redis.split("@")[1])
        with stranger, pytest.raises(redis_client.AuthenticationError):
            stranger.ping()
        with psycopg.connect(addresses.superuser) as connection:
            row = connection.execute("SHOW listen_addresses").fetchone()
            assert row == ("",)


def test_the_application_role_can_do_nothing_but_connect(var: Path) -> None:
    with embedded.serving(var, **QUIET) as addresses, psycopg.connect(addresses.app, autocommit=True) as connection:
        for statement in ("CREATE TABLE t ()", "CREATE TEMPORARY TABLE t ()", "CREATE SCHEMA s", "CREATE ROLE r"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


def test_everything_is_durable_unless_a_test_says_otherwise(var: Path) -> None:
    with embedded.serving(var, say=lambda sentence: None) as addresses:
        with psycopg.connect(addresses.app) as connection:
            for name in ("fsync", "synchronous_commit", "full_page_writes"):
                assert connection.execute(f"SHOW {name}").fetchone() == ("on",)
        with redis_client.Redis.from_url(addresses.redis) as client:
            assert client.config_get("appendonly") == {"appendonly": "yes"}
            assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_a_folder_with_other_peoples_files_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").touch()
    before = tmp_path.stat().st_mode
    with pytest.raises(Refused) as refusal, embedded.serving(tmp_path, **QUIET):
        pass
    assert refusal.value.code == "var_not_ours"
    assert "letters.txt" in refusal.value.message
    assert tmp_path.stat().st_mode == before


def test_data_without_its_passwords_is_refused(var: Path) -> None:
    with embedded.serving(var, **QUIET):
        pass
    (var / "servers.json").unlink()
    with pytest.raises(Refused) as refusal, embedded.serving(var, **QUIET):
        pass
    assert refusal.value.code == "passwords_lost"


def test_data_of_another_release_is_refused(var: Path) -> None:
    with embedded.serving(var, **QUIET):
        pass
    (var / "postgres/data/PG_VERSION").write_text("12\n")
    with pytest.raises(Refused) as refusal, embedded.serving(var, **QUIET):
        pass
    assert refusal.value.code == "other_postgres_release"
    assert not _servers_in(var)


@pytest.mark.skipif(not IS_ROOT, reason="only root has another user to become")
def test_root_runs_the_servers_as_somebody_without_rights(var: Path) -> None:
    with embedded.serving(var, **QUIET):
        for pid in (_first_process(var), *redis.Redis(var / "redis").pids()):
            status = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
            assert status["Uid"].split() == ["65534"] * 4
            assert status["Groups"].strip() == ""
            assert int(status["CapEff"], 16) in (0, 1 << 2, 1 << 1)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["DATABASE_URL", "REDIS_URL"], []),
        (["DATABASE_URL"], ["REDIS_URL"]),
        (["REDIS_URL"], ["DATABASE_URL", "DATABASE_OWNER_URL"]),
    ],
)
def test_servers_that_the_environment_names_are_not_started(
    var: Path, monkeypatch: pytest.MonkeyPatch, given: list[str], kept: list[str]
) -> None:
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in given:
        monkeypatch.setenv(name, "elsewhere://")
    monkeypatch.setenv("CASINO_VAR", str(var))
    with embedded.needed() as addresses:
        assert sorted(addresses.variables()) == sorted(kept)
        programs = [bool(processes.running("postgres", str(var))), bool(processes.running("redis-server", str(var)))]
        assert programs == ["DATABASE_URL" in kept, "REDIS_URL" in kept]


@pytest.fixture
def manage(var: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run manage.py on a machine with no server and an empty `var`."""
    env = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
    env |= {"CASINO_VAR": str(var), "CASINO_ENV_FILE": os.devnull}

    def run(*arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=environment.HOME, env=env | variables, capture_output=True, text=True, timeout=120,
        )  # fmt: skip

    return run


def test_a_first_command_on_a_fresh_machine_finds_its_tables_and_leaves_no_server(
    var: Path, manage: Callable[..., "subprocess.CompletedProcess[str]"]
) -> None:
    count = "from django.contrib.auth.models import User; print('users', User.objects.count())"
    done = manage("shell", "-v0", "-c", count)
    assert "users 0" in done.stdout, done.stderr
    assert not _servers_in(var)


def test_a_command_that_needs_no_server_starts_none(
    var: Path, manage: Callable[..., "subprocess.CompletedProcess[str]"]
) -> None:
    done = manage("paytable", "54-card-roulette", "--json")
    assert done.returncode == 0, done.stderr
    assert not (var / "postgres").exists()


@pytest.mark.parametrize("command", ["rebild", "../settle", "*"])
def test_a_command_that_nobody_has_starts_no_server(
    var: Path, manage: Callable[..., "subprocess.CompletedProcess[str]"], command: str
) -> None:
    done = manage(command)
    assert (done.returncode, "Unknown command" in done.stderr) == (1, True), done.stderr
    assert not (var / "postgres").exists()


def test_a_database_out_of_reach_is_said_in_a_sentence(
    manage: Callable[..., "subprocess.CompletedProcess[str]"],
) -> None:
    here = {"DATABASE_URL": "postgresql://ana@127.0.0.1:1/casino", "REDIS_URL": "redis://127.0.0.1:1/0"}
    done = manage("prepare_database", **here)
    assert done.returncode == 1
    assert "The database can't be reached" in done.stderr
    assert "Traceback" not in done.stderr


def test_run_says_so_before_anything_starts_when_its_port_is_taken(
    var: Path, manage: Callable[..., "subprocess.CompletedProcess[str]"]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = manage("run", CASINO_PORT=str(taken.getsockname()[1]))
    assert done.returncode == 1
    assert "is taken" in done.stderr
    assert not (var / "postgres").exists()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_command_ended_by_a_signal_stops_its_servers(var: Path, sign: signal.Signals) -> None:
    env = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
    child = subprocess.Popen(
        [sys.executable, "manage.py", "shell", "-v0", "-c", "import time; print('up', flush=True); time.sleep(60)"],
        cwd=environment.HOME, env=env | {"CASINO_VAR": str(var), "CASINO_ENV_FILE": os.devnull},
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert child.stdout
    assert child.stdout.readline() == "up\n"
    assert _servers_in(var)
    child.send_signal(sign)
    child.communicate(timeout=60)
    assert child.returncode == 128 + sign
    assert not _servers_in(var)
