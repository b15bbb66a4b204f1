"""The arithmetic of the benchmarks: turns, ratios and verdicts. Nothing is timed here."""

import json

import pytest

from benchmarks import table
from benchmarks.runner import Row, compare, interleave, percentile, ratios


def row(**fields) -> Row:
    return Row(**({"name": "append", "peer": "COPY", "unit": "events/s", "ours": 8.0} | fields))


def test_every_other_turn_goes_backwards_and_the_warm_up_is_not_counted():
    called: list[str] = []

    def contender(name: str):
        return lambda: called.append(name) or float(len(called))

    rates = interleave({"a": contender("a"), "b": contender("b")}, turns=3)
    assert "".join(called) == "baabbaab"
    assert rates == {"a": [3.0, 6.0, 7.0], "b": [4.0, 5.0, 8.0]}


def test_the_ratio_is_the_median_of_the_pairs_and_not_the_ratio_of_the_medians():
    rates = {"ours": [1.0, 30.0, 8.0], "theirs": [10.0, 10.0, 4.0]}
    assert ratios(rates["ours"], rates["theirs"]) == [0.1, 3.0, 2.0]
    found = compare("append", "COPY", "events/s", rates, "ours", "theirs", at_least=0.8)
    assert (found.ratio, found.ratio_min, found.ratio_max, found.pairs) == (2.0, 0.1, 3.0, 3)
    assert (found.ours, found.theirs) == (8.0, 10.0)


def test_rates_that_are_no_pairs_are_refused():
    with pytest.raises(ValueError):
        ratios([1.0, 2.0], [1.0])


@pytest.mark.parametrize("fault", ["lost", "duplicated", "wrong", "deadlocked"])
def test_a_wrong_run_has_failed_however_fast_it_was(fault):
    assert row(ratio=2.0, at_least=0.8).is_reached
    assert not row(ratio=2.0, at_least=0.8, **{fault: 1}).is_reached
    assert not row(**{fault: 1}).is_reached


def test_a_ratio_below_its_target_is_not_reached():
    assert not row(ratio=0.79, at_least=0.8).is_reached
    assert row(ratio=0.8, at_least=0.8).is_reached
    assert not row(ratio=None, at_least=0.8).is_reached


def test_a_percentile_is_a_value_that_was_measured():
    values = [float(n) for n in range(100, 0, -1)]
    assert [percentile(values, hundredths) for hundredths in (50, 95, 99, 100)] == [50.0, 95.0, 99.0, 100.0]
    assert percentile([7.0], 50) == percentile([7.0], 99) == 7.0
    assert percentile([], 99) == 0.0


def test_the_table_names_the_faults_and_what_is_not_reached():
    text = table.written([row(ratio=0.5, at_least=0.8, theirs=16.0), row(lost=3), row(ratio=1.0, at_least=0.8)])
    lines = text.splitlines()
    assert lines[1].rstrip().endswith("NOT REACHED")
    assert "3 lost" in lines[2]
    assert lines[2].rstrip().endswith("WRONG")
    assert lines[3].rstrip().endswith("reached")


def test_the_file_holds_the_promised_fields(tmp_path):
    path = tmp_path / "results.json"
    table.save([row(ratio=0.9, at_least=0.8, theirs=9.0)], {"cores": 2}, path)
    found = json.loads(path.read_text())
    assert found["machine"] == {"cores": 2}
    (one,) = found["benchmarks"]
    assert {"name", "peer", "ratio", "at_least", "ours", "theirs", "unit"} <= set(one)
    assert one["reached"] is True
    assert [one[fault] for fault in ("lost", "duplicated", "wrong", "deadlocked")] == [0, 0, 0, 0]
