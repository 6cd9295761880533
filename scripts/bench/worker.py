"""What the Python workers of `cargo xtask bench imaging` share: a line of JSON in, one out."""

import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

JOB = json.loads(sys.argv[1])
_lock = threading.Lock()


def serve(version, make):
    """Answers requests; `make(path)` returns the renditions as (name, bytes), and optionally the
    largest memory, in KiB, of a process it has started."""
    _say({"version": version})
    # Requests in flight together are limited by the benchmark.
    with ThreadPoolExecutor(8) as pool:
        for line in sys.stdin:
            pool.submit(_answer, json.loads(line), make)


def _answer(request, make):
    answer = {"id": request["id"]}
    try:
        made = make(request["path"])
        if isinstance(made, tuple):
            made, answer["childPeakKib"] = made
        if request.get("out"):
            for name, data in made:
                with open(os.path.join(request["out"], name + ".webp"), "wb") as file:
                    file.write(data)
        answer["sizes"] = [{"name": name, "bytes": len(data)} for name, data in made]
    except Exception as error:
        answer["error"] = f"{type(error).__name__}: {error}"
    _say(answer)


def _say(line):
    with _lock:
        print(json.dumps(line), flush=True)
