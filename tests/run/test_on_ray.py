"""Ray comes to the same as this process does, whatever is lost on the way."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest
from ray.cluster_utils import Cluster

import league
from league.config import read_config
from league.progress import Quiet
from league.run import RunError
from league.run.league import run_league
from tests.run.playing import ROOT, assert_same, run, start
from tests.tiny import write_league


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A cluster of two nodes with a core each, on this machine."""
    patch = pytest.MonkeyPatch()
    patch.setenv("PYTHONPATH", str(ROOT))
    patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    started: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    started.add_node(num_cpus=1)
    yield started
    started.shutdown()
    patch.undo()


class Strike(Quiet):
    """Does something once, when a batch has been rated and others are in flight; it says whether it hit any."""

    def __init__(self, strike: Callable[[], bool]) -> None:
        self._strike = strike
        self.has_struck = False

    def advance(self, done: int, now: int, leaders: Sequence[str] = ()) -> None:
        self.has_struck = self.has_struck or self._strike()


def play(cluster: Cluster, whole: Path, out: str, **how: Any) -> Path:
    summary = run(whole / "tiny.toml", out, engine="ray", cluster=cluster.address, **how)
    assert summary.complete
    return whole / out / "tiny"


def test_one_worker_comes_to_the_same(cluster: Cluster, whole: Path) -> None:
    assert_same(play(cluster, whole, "one", workers=1), whole / "whole" / "tiny")


def end_worker(how: signal.Signals) -> bool:
    """Send a signal to a process that is playing a batch; answer whether there is one right now."""
    for process in psutil.process_iter(["cmdline"]):
        if "ray::_play" in " ".join(process.info["cmdline"] or []):
            process.send_signal(how)
            return True
    return False


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_two_workers_of_which_one_is_ended_come_to_the_same(
    how: signal.Signals, cluster: Cluster, whole: Path
) -> None:
    (whole / "gate").touch()

    def strike() -> bool:
        if not end_worker(how):
            return False
        (whole / "gate").unlink()
        return True

    reporter = Strike(strike)
    assert_same(play(cluster, whole, how.name, reporter=reporter), whole / "whole" / "tiny")
    assert reporter.has_struck


def test_nobody_answers(whole: Path) -> None:
    with pytest.raises(
        RunError, match=r"run\.cluster = '127\.0\.0\.1:9': nobody answers .* `ray start --head`"
    ):
        run(whole / "tiny.toml", "nobody", engine="ray", cluster="127.0.0.1:9")
    for none in ("auto", "127.0.0.1:²"):
        with pytest.raises(RunError, match=rf"run\.cluster = '{none}': write 'local' or an address"):
            run(whole / "tiny.toml", "nobody", engine="ray", cluster=none)


def test_other_versions_are_refused(cluster: Cluster, whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(league, "__version__", "9.9")
    with pytest.raises(
        RunError, match=r"node .* has league 0\..*, here it is 9\.9 .*; install the same everywhere"
    ):
        play(cluster, whole, "versions")


def test_a_batch_that_cannot_be_played_ends_the_run(cluster: Cluster, tmp_path: Path) -> None:
    file = write_league(tmp_path)
    bots = tmp_path / "tiny.py"
    bots.write_text(f"import os\nif os.path.exists('{tmp_path}/stop'):\n    1 / 0\n" + bots.read_text())
    config = read_config(file)
    (tmp_path / "stop").touch()
    with pytest.raises(RunError, match=r"batch \d failed 3 times: ZeroDivisionError: .* --engine inline"):
        run_league(config, str(tmp_path / "out"), engine="ray", cluster=cluster.address)


def test_a_lost_node_loses_nothing(cluster: Cluster, whole: Path) -> None:
    """The last test on this cluster, which is smaller afterwards."""
    (whole / "gate").touch()
    (lost,) = cluster.worker_nodes

    def strike() -> bool:
        cluster.remove_node(lost, allow_graceful=False)
        (whole / "gate").unlink()
        return True

    assert_same(play(cluster, whole, "node", reporter=Strike(strike)), whole / "whole" / "tiny")


def dawdles(process: psutil.Process) -> bool:
    """Whether a process is one of those agents of Ray that end only some time after all others."""
    try:
        return process.name() in ("ray::DashboardAgent", "ray::RuntimeEnvAgent")
    except psutil.NoSuchProcess:
        return False


def test_a_local_ray_says_nothing_and_leaves_nothing(whole: Path, tmp_path: Path) -> None:
    """Ctrl-C first, then kill -9 of the driver, then the rest of the league in this process."""
    (tmp_path / "tiny.py").write_bytes((whole / "tiny.py").read_bytes())
    file = write_league(tmp_path, matches=200, batch=10)
    reference = write_league(whole, matches=200, batch=10)
    run(reference, "long")
    write_league(whole)
    (whole / "gate").touch()
    try:
        process = start(file, "--engine", "ray", "--workers", "2")
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=120)
        assert process.returncode == 130, told
        lines = [line for line in told.splitlines() if " matches, " not in line]
        assert lines == [
            "tiny: 200 matches of Regenwormen",
            "stopping once the batches in flight are complete; Ctrl-C again stops at once",
            "interrupted; the same command goes on from here",
        ]
        parts = tmp_path / "out" / "tiny" / "matches"
        before = len(list(parts.iterdir()))
        process = start(file, "--engine", "ray", "--workers", "2", parts=before + 2)
        family = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.communicate()
    finally:
        (whole / "gate").unlink()
    _, left = psutil.wait_procs([process for process in family if not dawdles(process)], timeout=30)
    assert not left
    assert before < len(list(parts.glob("part-*.parquet"))) < 20
    assert run(file).complete
    assert_same(tmp_path / "out" / "tiny", whole / "long" / "tiny")
