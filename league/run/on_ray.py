"""Play batches on Ray: on this machine's cores, or on a cluster that was asked for by its address."""

from __future__ import annotations

import logging
import os
import platform
import signal
import socket
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, cast

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

import league
from league.kernels import digest_of, package_sources
from league.run import Job, Outcome, RunError, Runner, Span, cores
from league.run.batches import play_span
from league.schedule import Schedule

TRIES = 3
"""How often a batch may raise before the run gives up on it."""

LOSSES = 20
"""How often a batch's worker or node may be lost before the run gives up on it: cheap machines come and go."""

IN_FLIGHT = 2
"""Batches handed out for each core, so that none waits for the driver."""

AHEAD = 16
"""Batches for each core that may be complete while an older one is not, and are held until it is."""

STORE_BYTES = 256 << 20
"""Shared memory for a local Ray: only bundles and outcomes pass through it."""

CHECK_S = 60
"""Time for a node to tell its versions."""


@ray.remote(max_retries=0)
def _play(job: Job, schedule: Schedule, span: Span) -> Outcome:
    """Play a batch; who is told to end meanwhile ends, for the exception of Ray's handler would look like a bot's."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    return play_span(job, schedule, span)


@ray.remote(max_retries=2, num_cpus=0)
def _versions_there() -> dict[str, str]:
    return versions_here()


def versions_here() -> dict[str, str]:
    """What must be the same on every node."""
    return {
        "Python": platform.python_version(),
        "Ray": ray.__version__,
        "league": f"{league.__version__} ({digest_of(package_sources())})",
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

    def __enter__(self) -> RayRunner:
        """Start Ray or join the cluster.

        Raises:
            RunError: It cannot be joined, or its nodes run other versions.
        """
        if ray.is_initialized():
            raise RunError("Ray is running in this process already; call ray.shutdown() first")
        os.environ.setdefault(
            "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0"
        )  # else Ray warns about graphics cards
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            if self._cluster == "local":
                self._start()
            else:
                self._join()
            self._shared = ray.put(self._job)
        except BaseException:
            ray.shutdown()
            raise
        return self

    def _start(self) -> None:
        workers = self._workers or cores()
        self._init("local", num_cpus=workers, include_dashboard=False, object_store_memory=STORE_BYTES)
        self._limit = IN_FLIGHT * workers

    def _join(self) -> None:
        self._init(self._cluster)
        _compare_versions()
        found = int(cast(Any, ray).cluster_resources().get("CPU", 1))
        self._limit = self._workers or IN_FLIGHT * found

    def _init(self, address: str, **more: Any) -> None:
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL, **more)
        except (ConnectionError, RuntimeError, ValueError) as error:
            reason = str(error).strip().splitlines()[0]
            raise RunError(f"run.cluster = '{address}': Ray does not start: {reason}") from None

    def __exit__(self, *error: object) -> None:
        """Leave the cluster, or end the local one."""
        ray.shutdown()

    def play(self, schedule: Schedule, spans: Iterable[Span]) -> Iterator[Outcome]:
        """Keep batches in flight until the spans are played; hold what is complete before its turn."""
        flights = _Flights(self._shared, ray.put(schedule))
        waiting, window = iter(spans), self._limit * AHEAD // IN_FLIGHT
        while True:
            free = min(self._limit - len(flights.running), window - len(flights.order))
            for span in islice(waiting, free):
                flights.start(span)
            if not flights.order:
                return
            flights.land()
            yield from flights.ready()


class _Flights:
    """Batches that were handed out, and those that are complete before their turn."""

    def __init__(self, job: Any, schedule: Any) -> None:
        self._job, self._schedule = job, schedule
        self.order: deque[int] = deque()
        self.running: dict[Any, Span] = {}
        self._complete: dict[int, Outcome] = {}
        self._raised: dict[int, int] = {}
        self._lost: dict[int, int] = {}

    def start(self, span: Span) -> None:
        """Hand out a batch."""
        self.order.append(span.number)
        self._send(span)

    def _send(self, span: Span) -> None:
        self.running[_play.remote(self._job, self._schedule, span)] = span

    def land(self) -> None:
        """Wait a moment for batches to end; those that failed are sent again."""
        done, _ = ray.wait(list(self.running), num_returns=1, timeout=0.5)
        for ref in done:
            span = self.running.pop(ref)
            outcome = self._collect(ref, span.number)
            if outcome is None:
                self._send(span)
            else:
                self._complete[span.number] = outcome

    def ready(self) -> Iterator[Outcome]:
        """The complete batches whose turn it is."""
        while self.order and self.order[0] in self._complete:
            yield self._complete.pop(self.order.popleft())

    def _collect(self, ref: Any, number: int) -> Outcome | None:
        """The outcome of a batch, or None if it is worth another try."""
        try:
            return ray.get(ref)  # type: ignore[no-any-return]
        except ray.exceptions.RayTaskError as error:
            self._raised[number] = self._raised.get(number, 0) + 1
            _refuse_raised(number, self._raised[number], error.cause)
        except ray.exceptions.RayError as error:
            self._lost[number] = self._lost.get(number, 0) + 1
            if self._lost[number] >= LOSSES:
                raise RunError(
                    f"batch {number} lost its worker {LOSSES} times ({type(error).__name__}): a bot that runs "
                    'unguarded may end the process; give it isolation = "process", or lower run.workers to save memory'
                ) from None
        return None


def _refuse_raised(number: int, tries: int, cause: Any) -> None:
    """Give up on a batch that raised too often, or raised what no other try can mend."""
    if isinstance(cause, league.LeagueError):
        raise cause from None
    if tries >= TRIES:
        text = " ".join(f"{type(cause).__name__}: {cause}".split())
        raise RunError(
            f"batch {number} failed {tries} times: {text}; see where with --engine inline"
        ) from cause


def _compare_versions() -> None:
    """Refuse a cluster on which another version would play."""
    alive = [node for node in cast(Any, ray).nodes() if node["Alive"] and node["Resources"].get("CPU")]
    asked = {
        _versions_there.options(
            scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
        ).remote(): node["NodeManagerAddress"]
        for node in alive
    }
    for ref, address in asked.items():
        try:
            there = ray.get(ref, timeout=CHECK_S)
        except ray.exceptions.RayError as error:
            reason = str(error).strip().splitlines()[-1]
            raise RunError(
                f"run.cluster: node {address} cannot run league ({reason}); install the same package there"
            ) from None
        _refuse_versions(address, there)


def _refuse_versions(address: str, there: dict[str, str]) -> None:
    for what, version in versions_here().items():
        if there[what] != version:
            raise RunError(
                f"run.cluster: node {address} has {what} {there[what]}, here it is {version}; "
                "install the same everywhere"
            )


def require_answer(address: str) -> None:
    """Ask whether anybody listens at an address, which Ray itself would wait long for.

    Raises:
        RunError: The address is none, or nobody answers.
    """
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal():
        raise RunError(f"run.cluster = '{address}': write 'local' or an address as in 10.0.0.1:6379")
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise RunError(
            f"run.cluster = '{address}': nobody answers ({reason}); start it with `ray start --head`"
        ) from None
