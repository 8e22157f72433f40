"""Play batches on Ray: on this machine's cores, or on a cluster that was asked for by its address."""

from __future__ import annotations

import logging
import os
import platform
import socket
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, cast

import ray

import league
from league.kernels import cache_folder
from league.run import Job, Outcome, RunError, Runner, Span
from league.run.batches import play_span
from league.schedule import Schedule

TRIES = 3
"""How often a batch is played before the run gives up on it; loss of a worker or a node is Ray's to retry."""

IN_FLIGHT = 2
"""Batches handed out for each core, so that none waits for the driver."""


@ray.remote(max_retries=-1)
def _play(job: Job, schedule: Schedule, span: Span) -> Outcome:
    return play_span(job, schedule, span)


@ray.remote(max_retries=2)
def _versions_there() -> dict[str, str]:
    return versions_here()


def versions_here() -> dict[str, str]:
    """What must be the same on every node."""
    return {
        "Python": platform.python_version(),
        "Ray": ray.__version__,
        "league": f"{league.__version__} ({cache_folder().name})",
    }


class RayRunner(Runner):
    """Keeps a bounded number of batches in flight.

    Args:
        job: What is played.
        workers: Batches played at the same time; all the cores there are unless given.
        cluster: `"local"`, or the address of a running cluster. Nothing is joined unasked.
    """

    def __init__(self, job: Job, workers: int | None, cluster: str) -> None:
        self._job = job
        self._workers = workers
        self._cluster = cluster
        self._stopped = False

    def __enter__(self) -> RayRunner:
        """Start Ray or join the cluster.

        Raises:
            RunError: Nobody answers there, or its nodes run other versions.
        """
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL}
        if self._cluster == "local":
            workers = self._workers or os.cpu_count() or 1
            ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)
        else:
            self._join(quiet)
        self._shared = ray.put(self._job)
        return self

    def _join(self, quiet: dict[str, Any]) -> None:
        address = self._cluster
        _require_answer(address)
        try:
            ray.init(address=address, **quiet)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise RunError(f"run.cluster = '{address}': cannot join: {str(error).splitlines()[0]}") from None
        self._compare_versions()

    def _compare_versions(self) -> None:
        """Refuse a cluster on which another version would play."""
        here = versions_here()
        alive = [node for node in cast(Any, ray).nodes() if node["Alive"] and node["Resources"].get("CPU")]
        found = ray.get(
            [
                _versions_there.options(resources={f"node:{node['NodeManagerAddress']}": 0.001}).remote()
                for node in alive
            ]
        )
        for node, there in zip(alive, found, strict=True):
            for what, version in here.items():
                if there[what] != version:
                    raise RunError(
                        f"run.cluster: node {node['NodeManagerAddress']} has {what} {there[what]}, "
                        f"here it is {version}; install the same everywhere"
                    )

    def __exit__(self, *error: object) -> None:
        """Leave the cluster, or end the local one."""
        ray.shutdown()

    def stop(self) -> None:
        """Hand out no more batches."""
        self._stopped = True

    def _limit(self) -> int:
        return IN_FLIGHT * int(self._workers or cast(Any, ray).cluster_resources().get("CPU", 1))

    def play(self, schedule: Schedule, spans: Iterable[Span]) -> Iterator[Outcome]:
        """Keep batches in flight until the spans are played or `stop` is called."""
        waiting = iter(spans)
        shared = ray.put(schedule)
        in_flight: dict[Any, tuple[Span, int]] = {}
        while True:
            if not self._stopped:
                for span in islice(waiting, self._limit() - len(in_flight)):
                    in_flight[_play.remote(self._shared, shared, span)] = (span, 1)
            if not in_flight:
                return
            done, _ = ray.wait(list(in_flight), num_returns=1, timeout=0.5)
            for ref in done:
                span, tries = in_flight.pop(ref)
                outcome = self._collect(ref, span, tries)
                if outcome is None:
                    in_flight[_play.remote(self._shared, shared, span)] = (span, tries + 1)
                else:
                    yield outcome

    def _collect(self, ref: Any, span: Span, tries: int) -> Outcome | None:
        """The outcome of a batch, or None if it is worth another try."""
        try:
            return ray.get(ref)  # type: ignore[no-any-return]
        except ray.exceptions.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, league.LeagueError):
                raise cause from None
            if tries >= TRIES:
                raise RunError(
                    f"batch {span.number} failed {tries} times: {type(cause).__name__}: {cause}; "
                    "run it with --engine inline to see where"
                ) from error
        except ray.exceptions.RayError as error:
            if tries >= TRIES:
                raise RunError(f"batch {span.number} was lost {tries} times: {error}") from None
        return None


def _require_answer(address: str) -> None:
    """Ask whether anybody listens at an address, which Ray itself would wait long for.

    Raises:
        RunError: The address is none, or nobody answers.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise RunError(f"run.cluster = '{address}': write 'local' or an address as in 10.0.0.1:6379")
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RunError(
            f"run.cluster = '{address}': nobody answers ({reason}); start it with `ray start --head`"
        ) from None
