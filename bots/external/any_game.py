"""A bot for any game, without the league's package: it answers one of the legal actions, picked by its seed.

Run it in a league as `cmd:python3 any_game.py`; PROTOCOL.md in `league/play` has every message.
"""

import json
import random
import sys
from typing import Any


def say(message: dict[str, Any]) -> None:
    """Write one message; flushing matters, for the league waits for it."""
    print(json.dumps(message), flush=True)


def main() -> None:
    """Answer until the league says goodbye."""
    generators: dict[tuple[int, int], random.Random] = {}
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            say({"type": "ready", "name": "any-game"})
        elif kind == "start":
            generators[message["match"], message["seat"]] = random.Random(int(message["seed"], 16))
        elif kind == "choose":
            generator = generators[message["match"], message["view"]["seat"]]
            action = message["legal"][generator.randrange(len(message["legal"]))]
            say({"type": "action", "match": message["match"], "action": action})
        elif kind == "end":
            del generators[message["match"], message["seat"]]
        elif kind == "bye":
            break


if __name__ == "__main__":
    main()
