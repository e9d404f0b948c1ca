"""peer_pidstat FILE COMMAND [ARG...]: a command while pidstat looks at all processes of the machine, once a second: its shortest interval."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import time


def main() -> int:
    with open(sys.argv[1], 'wb') as out:
        beside = subprocess.Popen(['pidstat', '-h', '-H', '-u', '-r', '-d', '-p', 'ALL', '1'], stdout=out)
        deadline = time.monotonic() + 10
        while not os.fstat(out.fileno()).st_size and time.monotonic() < deadline:  # its first words: it has begun
            time.sleep(0.01)
        status = subprocess.call(sys.argv[2:])
        beside.send_signal(signal.SIGINT)
        beside.wait()
    return status


if __name__ == '__main__':
    sys.exit(main())
