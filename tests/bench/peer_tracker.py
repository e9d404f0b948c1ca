"""peer_tracker FILE SECONDS COMMAND [ARG...]: a command with resource-tracker's ProcessTracker beside it."""
from __future__ import annotations

import subprocess
import sys
import threading

import resource_tracker


def main() -> int:
    out, seconds, command = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
    job = subprocess.Popen(command)
    ended = threading.Thread(target=job.wait)
    ended.start()
    resource_tracker.ProcessTracker(pid=job.pid, interval=seconds, output_file=out)
    ended.join()
    return job.returncode


if __name__ == '__main__':
    sys.exit(main())
