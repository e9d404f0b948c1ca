"""What following a job costs it: interleaved runs, medians, and the median of paired ratios.

    python tests/bench/lifecycle.py [-n RUNS] ways|sources [BUILD]

ways: the perf events themselves (tests/bench/perf_ways.c); sources: the collectors (tests/lifecycle/probe.c).
Jobs: `true`, 500 programs started one after another, and `switch`, two processes that wake each other.
"""
import argparse
import json
import pathlib
import statistics
import subprocess

JOBS = {
    'true': ['sh', '-c', 'i=0; while [ $i -lt 500 ]; do /bin/true; i=$((i+1)); done'],
    'switch': ['taskset', '-c', '1', 'sh', '-c', 'head -c 60000000 /dev/zero | cat | cat >/dev/null'],
}
PROGRAMS = {
    'ways': ('tests/bench/perf_ways', ['none', 'counter', 'dummy', 'dummy+poll', 'clock', 'clock+poll', 'stat']),
    'sources': ('tests/lifecycle/probe', ['none', 'perf', 'connector', 'children']),
}


def once(program, way, job):
    done = subprocess.run([program, way, *job], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def cpu(figures):
    if 'job_cpu_ms' in figures:
        return figures['job_cpu_ms'] + figures['own_cpu_ms']
    return (figures['reaped_ns'] + figures['own_ns']) / 1e6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('-n', type=int, default=15)
    parser.add_argument('what', choices=PROGRAMS)
    parser.add_argument('build', nargs='?', default='build')
    args = parser.parse_args()
    program, ways = PROGRAMS[args.what]
    for job, command in JOBS.items():
        runs: dict[str, list] = {way: [] for way in ways}
        for _ in range(args.n):
            for way in ways:
                runs[way].append(once(pathlib.Path(args.build) / program, way, command))
        for way in ways:
            costs = [cpu(f) for f in runs[way]]
            ratio = statistics.median(c / cpu(f) for c, f in zip(costs, runs['none']))
            wall = [f.get('wall_ms', 0) for f in runs[way]]
            walls = f'wall {statistics.median(wall):7.1f} ms, ' if any(wall) else ''
            print(f'{job:7} {way:11} {walls}CPU of job and reader {statistics.median(costs):7.1f} ms, '
                  f'{100 * (ratio - 1):+5.1f} % (paired)')


if __name__ == '__main__':
    main()
