"""`league bench` measures every pair, and what must not depend on the machine holds on this one."""

import pytest

from league import bench


@pytest.mark.slow
def test_bench_of_regenwormen() -> None:
    """The ratios that are promised, with room for a machine that does other things too."""
    found = {line.what: line for line in bench.bench("regenwormen")}
    compiled = float(found["compiled_random bots"].ours.split()[0].replace(",", ""))
    assert compiled < 600
    trueskill = found["TrueSkill, four seats"].ratio
    assert trueskill is not None
    assert trueskill > 300
    isolated = found["isolated, 10,000 a batch"].ratio
    assert isolated is not None
    assert isolated > 0.5
    python = found["Python bots"].ratio
    assert python is None or python > 1.5
