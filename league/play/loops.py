"""The compiled loops of a table: templates that are linked with the kernels of a game.

The names bound by `specialise` (`observe`, `step`, ...) are those of `league.games.Kernels`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from league.addresses import ask
from league.games import Game, Kernels
from league.kernels import Row, bind, cache_folder, kernel, mix, specialise

Array = Any

SAMPLED = 64
"""Of how many views one is kept to measure what bots take for it."""

observe: Callable[..., Any]
legal: Callable[..., Any]
is_legal: Callable[..., Any]
start: Callable[..., Any]
may_happen: Callable[..., Any]
step: Callable[..., Any]
stand_in: Callable[..., Any]
result: Callable[..., Any]


def _deal(states: Array, slots: Array, blank: Array, deals: Array) -> None:
    """Start a match in each of the slots, from its deal seed `uint64[N]`."""
    for place in range(len(slots)):
        states[slots[place]] = blank[0]
        state = states[slots[place]]
        state.deal = deals[place]
        start(state)


def _gather(
    states: Array, running: Array, bots: Array, absent: Array, decisions: Array, keys: Array,
    groups: Array, asked: Array, slots: Array, chairs: Array, views: Array, seeds: Array,
) -> None:  # fmt: skip
    """Sort the running matches by the bot to move, and let each look; matches that are over are passed by.

    Args:
        states: State rows.
        running: `int32[N]`, their slots.
        bots: `int16[slots, seats]`.
        absent: `bool[slots, seats]`, seats that are stood in for.
        decisions: `int32[slots]`, decisions so far.
        keys: `uint64[slots, seats]`, the seed of each chair.
        groups: `int16[N]`, for use here.
        asked: `int64[bots + 2]`, written: bot `b` has the places `asked[b]` to `asked[b + 1]`, the absent the last.
        slots: `int32[N]`, written: the slot at each place.
        chairs: `int32[N]`, written: the chair at each place.
        views: View rows `[N]`, written.
        seeds: `uint64[N]`, written.
    """
    seats = bots.shape[1]
    last = len(asked) - 2
    asked[:] = 0
    for index in range(len(running)):
        slot = running[index]
        seat = states[slot].to_move
        groups[index] = -1
        if seat >= 0:
            groups[index] = last if absent[slot, seat] else bots[slot, seat]
            asked[groups[index] + 1] += 1
    for group in range(last + 1):
        asked[group + 1] += asked[group]
    free = asked.copy()
    for index in range(len(running)):
        group = groups[index]
        if group < 0:
            continue
        slot = running[index]
        state = states[slot]
        place = free[group]
        free[group] += 1
        slots[place] = slot
        chairs[place] = slot * seats + state.to_move
        if group < last:
            observe(state, views[place])
            seeds[place] = mix(keys[slot, state.to_move], decisions[slot])


def _advance(
    states: Array, slots: Array, actions: Array, spoiled: Array, asked: Array, shares: Array, decisions: Array,
    think: Array, matches: Array, log_matches: Array, log_actions: Array, begin: Any,
    refused: Array, refused_states: Array, refused_actions: Array, ended: Array, endings: Any,
) -> Any:  # fmt: skip
    """Judge every answer and step every match.

    Args:
        states: State rows.
        slots: `int32[N]`, from `_gather`.
        actions: Action rows `[N]`; where a seat is stood in for, what the stand-in does is written.
        spoiled: `int8[N]`, 1 where there is no answer, 2 where the rules imposed the action.
        asked: From `_gather`.
        shares: `int64[bots]`, nanoseconds that each decision of a bot took.
        decisions: `int32[slots]`, counted up.
        think: `int64[slots, seats]`, counted up.
        matches: `int32[slots]`, index of the match in the batch.
        log_matches: `int32[L]`, written from `begin` on: the match of each action.
        log_actions: Action rows `[L]`, written likewise.
        begin: Where the log of this round begins.
        refused: `int64[N]`, written: places of illegal answers.
        refused_states: State rows before an illegal answer.
        refused_actions: The illegal answers.
        ended: `int32[slots]`, written from `endings` on: slots whose match is over.
        endings: How many such slots there were before.

    Returns:
        How many answers were refused, and how many slots in all hold a match that is over.
    """
    refusals = 0
    for bot in range(len(asked) - 1):
        for place in range(asked[bot], asked[bot + 1]):
            slot = slots[place]
            state = states[slot]
            action = actions[place]
            if bot == len(asked) - 2 or spoiled[place] == 1:
                stand_in(state, action)
            elif spoiled[place] == 0 and not is_legal(state, action):
                refused[refusals] = place
                refused_states[refusals] = state
                refused_actions[refusals] = action
                refusals += 1
                stand_in(state, action)
            decisions[slot] += 1
            if bot < len(asked) - 2:
                think[slot, state.to_move] += shares[bot]
            log_matches[begin + place] = matches[slot]
            log_actions[begin + place] = action
            step(state, action)
            if state.to_move < 0:
                ended[endings] = slot
                endings += 1
    return refusals, endings


class Samples(NamedTuple):
    """Some of what bots were asked: the first decision of each, and one in `SAMPLED`, as long as there is room.

    Attributes:
        views: View rows `[bots, M]`.
        seeds: `uint64[bots, M]`.
        counts: `int64[bots]`.
    """

    views: Array
    seeds: Array
    counts: Array


@kernel
def _sample(samples: Samples, bot: Any, view: Row, seed: Any) -> None:
    """Keep what a bot is asked."""
    count = samples.counts[bot]
    if count < samples.views.shape[1]:
        samples.views[bot, count] = view
        samples.seeds[bot, count] = seed
        samples.counts[bot] += 1


def _fuse(
    first: Any, end: Any, deals: Array, bots: Array, keys: Array, codes: Array, options: Array, blank: Array,
    states: Array, views: Array, log: Array, ends: Array, scores: Array, ranks: Array, turns: Array, truncated: Array,
    think: Array, samples: Samples,
) -> Any:  # fmt: skip
    """Play matches one after the other, asking compiled bots where they lie.

    Args:
        first: The first match; those before it are played.
        end: The match before which to stop.
        deals: `uint64[N]`, deal seeds.
        bots: `int16[N, seats]`.
        keys: `uint64[N, seats]`, the seed of each chair.
        codes: `int64[bots]`, where their functions lie.
        options: `int64[bots]`, where their options lie.
        blank: The state row that every match starts from.
        states: A state row, for use here.
        views: A view row, for use here.
        log: Action rows `[L]`, zeroed, written match after match; a match that does not fit in counts as not played.
        ends: `int64[N]`, written: where each match's actions end.
        scores: `int32[N, seats]`, written.
        ranks: `int8[N, seats]`, written.
        turns: `int32[N]`, written.
        truncated: `bool[N]`, written.
        think: `int64[N, seats]`, written: decisions.
        samples: Filled.

    Returns:
        The first match not played; -1 if an answer was illegal.
    """
    state, view = states[0], views[0]
    place = ends[first - 1] if first > 0 else 0
    for match in range(first, end):
        begin = place
        states[0] = blank[0]
        state.deal = deals[match]
        start(state)
        think[match] = 0
        while state.to_move >= 0:
            if place == len(log):
                return match
            seat = state.to_move
            bot = bots[match, seat]
            seed = mix(keys[match, seat], place - begin)
            observe(state, view)
            if place % SAMPLED == 0 or samples.counts[bot] == 0:
                _sample(samples, bot, view, seed)
            action = log[place]
            ask(codes[bot], view, action, seed, options[bot])
            if not is_legal(state, action):
                return -1
            step(state, action)
            think[match, seat] += 1
            place += 1
        ends[match] = place
        turns[match] = state.turn
        truncated[match] = state.truncated
        result(state, scores[match], ranks[match])
    return end


def _tally(states: Array, slots: Array, scores: Array, ranks: Array) -> None:
    """Write the results of the slots."""
    for place in range(len(slots)):
        result(states[slots[place]], scores[place], ranks[place])


def _list_legal(views: Array, actions: Array, counts: Array) -> None:
    """Write the legal actions of each view, `actions[N, max_legal]`."""
    for place in range(len(views)):
        counts[place] = legal(views[place], actions[place])


def _replay(states: Array, actions: Array, ends: Array, scores: Array, ranks: Array, faulty: Array) -> None:
    """Play logged actions again, `ends[N]` being where each match's actions end.

    `faulty[N]` is written: the index of the first action that may not happen or follows the end, or -1; a match that is
    not over after its last action has the index after it.
    """
    place = 0
    for match in range(len(states)):
        state = states[match]
        faulty[match] = -1
        begin = place
        while place < ends[match]:
            if state.to_move < 0 or not may_happen(state, actions[place]):
                faulty[match] = place - begin
                break
            step(state, actions[place])
            place += 1
        if faulty[match] < 0 and state.to_move >= 0:
            faulty[match] = ends[match] - begin
        place = ends[match]
        result(state, scores[match], ranks[match])


@dataclass(frozen=True)
class Loops:
    """The loops compiled for one game; see the templates above."""

    deal: Callable[..., Any]
    gather: Callable[..., Any]
    advance: Callable[..., Any]
    fuse: Callable[..., Any]
    tally: Callable[..., Any]
    list_legal: Callable[..., Any]
    replay: Callable[..., Any]


@cache
def _linked(rules: Kernels, fingerprint: str, is_compiled: bool) -> Loops:
    """Link the templates with a game's kernels."""
    link = specialise if is_compiled else bind
    linked = {name: getattr(rules, name) for name in Kernels.__dataclass_fields__}
    templates: dict[str, Callable[..., Any]] = {
        "deal": _deal,
        "gather": _gather,
        "advance": _advance,
        "fuse": _fuse,
        "tally": _tally,
        "list_legal": _list_legal,
        "replay": _replay,
    }
    return Loops(
        **{name: link(template, f"{name}_{fingerprint}", **linked) for name, template in templates.items()}
    )


def tell_of_compiling(game: Game, say: Callable[[str], None]) -> None:
    """Say that the rules are about to be compiled, unless they were before, or never are, so that they load at once."""
    if game.is_compiled and not any(cache_folder().glob(f"*/loops.gather_{game.fingerprint}-*.nbi")):
        say(f"compiling the rules of {game.name}: once, for a minute or less")


def loops_of(game: Game) -> Loops:
    """The loops for a game, compiled when first called."""
    return _linked(game.kernels, game.fingerprint, game.is_compiled)


@kernel
def sort_log(matches: Array, log: Array, ends: Array, sorted_log: Array) -> None:
    """Bring logged actions, `uint8[D, size]`, from the order of play into the order of matches.

    `matches[D]` tells each action's match; `ends[N]` where each match's actions end.
    """
    free = np.zeros(len(ends), np.int64)
    for match in range(1, len(ends)):
        free[match] = ends[match - 1]
    for index in range(len(matches)):
        place = free[matches[index]]
        free[matches[index]] += 1
        for byte in range(log.shape[1]):
            sorted_log[place, byte] = log[index, byte]
