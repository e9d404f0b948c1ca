"""peer_psutil FILE SECONDS COMMAND [ARG...]: the loop that people write around psutil; what it has seen, as JSON."""
from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

import psutil


def look(root: psutil.Process, seen: dict[Any, dict[str, Any]]) -> int:
    rss = 0
    for p in [root, *root.children(recursive=True)]:
        try:
            with p.oneshot():
                times, memory, io = p.cpu_times(), p.memory_info(), p.io_counters()
                seen[p.pid, p.create_time()] = {
                    'name': p.name(), 'cpu_ns': round((times.user + times.system) * 1e9), 'read_bytes': io.read_bytes,
                    'write_bytes': io.write_bytes, 'read_chars': io.read_chars, 'write_chars': io.write_chars, 'rss': memory.rss}
                rss += memory.rss
        except psutil.Error:
            continue
    return rss


def main() -> int:
    out, seconds, command = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
    job = subprocess.Popen(command)
    seen: dict[Any, dict[str, Any]] = {}
    sum_rss = largest = 0
    try:
        root = psutil.Process(job.pid)
        while job.poll() is None:
            sum_rss = max(sum_rss, look(root, seen))
            largest = max([largest, *(p['rss'] for p in seen.values())])
            time.sleep(seconds)
    except psutil.Error:
        pass
    status = job.wait()
    with open(out, 'w', encoding='utf-8') as f:
        json.dump({'processes': list(seen.values()), 'sum_rss': sum_rss, 'largest_rss': largest}, f)
    return status


if __name__ == '__main__':
    sys.exit(main())
