"""Tier A: payload through sockets, against what the job itself has counted. The loopback interface only."""
from __future__ import annotations

import os
import signal
import socket
import sys
import threading

import pytest
from measured import Measured, Place
from test_told import Told, told  # noqa: F401

pytestmark = pytest.mark.root

KEYS = ('sent_bytes', 'received_bytes', 'unix_sent_bytes', 'unix_received_bytes')
METRICS = ('process.network.sent', 'process.network.received', 'process.unix.sent', 'process.unix.received')
COMMON = '''
import os, socket, sys, json, signal, threading, time
def tcp(family=socket.AF_INET, host='127.0.0.1'):
    s = socket.create_server((host, 0), family=family)
    a = socket.create_connection(s.getsockname()[:2])
    return a, s.accept()[0]
def udp(family=socket.AF_INET, host='127.0.0.1'):
    b = socket.socket(family, socket.SOCK_DGRAM)
    b.bind((host, 0))
    a = socket.socket(family, socket.SOCK_DGRAM)
    a.connect(b.getsockname())
    return a, b
def drain(s, n):
    while n: n -= len(s.recv(n))
'''


def moved(m: Measured) -> tuple[int, ...]:
    assert m.summary['network']['source'] == "bpf sockets: payload of the job's own sockets"
    return tuple(m.summary['network'][k] for k in KEYS)


def of_ends(t: Told) -> list[tuple[int, ...]]:
    """Those of each process that has used a socket."""
    return sorted(tuple(e['figures'][x]['value'] for x in METRICS) for e in t.ends.values() if METRICS[0] in e['figures'])


@pytest.fixture
def script(place: Place, told):  # noqa: F811
    if place.user == 'self':
        (place.dir / 'python').symlink_to(sys.executable)

    def run(text: str, *options: str) -> tuple[Measured, Told]:
        return told('python', '-c', COMMON + text, options=options)
    return run


@pytest.mark.parametrize('kind', ['tcp', 'udp', 'unix'])
def test_request_and_answer(told, kind: str) -> None:  # noqa: F811
    rounds, up, down = 301, 10007, 1009
    m, t = told('net', kind, '--rounds', str(rounds), '--up', str(up), '--down', str(down))
    both = (m.truth['sent_bytes'], m.truth['received_bytes'])
    assert both == (rounds * (up + down),) * 2
    ends = [(rounds * down, rounds * up), (rounds * up, rounds * down)]
    if kind == 'unix':
        assert moved(m) == (0, 0, *both)
        assert of_ends(t) == sorted((0, 0, *e) for e in ends)
    else:
        assert moved(m) == (*both, 0, 0)
        assert of_ends(t) == sorted((*e, 0, 0) for e in ends)
    group, = m.summary['groups']
    assert tuple(group['network'][k] for k in KEYS) == moved(m)
    assert m.summary['quality']['sources']['network.sent_bytes'] == 'bpf sockets (exact)'


WAYS = {
    # name: script, what is counted of it
    'sendmsg and recvmsg, IPv6': ('a, b = tcp(socket.AF_INET6, "::1"); a.sendmsg([b"x" * 100, b"y" * 200]); b.recvmsg(1000)', (300, 300, 0, 0)),
    'sendto and recvfrom, IPv6': ('a, b = udp(socket.AF_INET6, "::1"); a.send(b"x" * 100); b.recvfrom(1000)', (100, 100, 0, 0)),
    'writev and read': ('a, b = tcp(); os.writev(a.fileno(), [b"x" * 100, b"y" * 200]); os.read(b.fileno(), 1000)', (300, 300, 0, 0)),
    'descriptors travel for nothing': ('a, b = socket.socketpair(); socket.send_fds(a, [b"hello"], [0]); socket.recv_fds(b, 9, 1)', (0, 0, 5, 5)),
    'a peek is no receipt': ('a, b = tcp(); a.send(b"x" * 500); b.recv(500, socket.MSG_PEEK); b.recv(500)', (500, 500, 0, 0)),
    'what was cut off was not received': ('a, b = udp(); a.send(b"x" * 500); b.recv(100)', (500, 100, 0, 0)),
    'an empty datagram': ('a, b = udp(); a.send(b""); b.recv(100)', (0, 0, 0, 0)),
    'a call that fails': ('a, b = udp(); b.setblocking(False)\ntry: b.recv(100)\nexcept BlockingIOError: pass', (0, 0, 0, 0)),
    'what an error brings back': ('''
a, b = udp()
a.setsockopt(socket.IPPROTO_IP, 11, 1) # IP_RECVERR
b.close()
a.send(b"x" * 77)
for i in range(1000):
    try: assert len(a.recvmsg(1000, 1000, 0x2000)[0]) == 77; break # MSG_ERRQUEUE
    except BlockingIOError: time.sleep(0.01)
''', (77, 0, 0, 0)),
}


@pytest.mark.parametrize('way', WAYS)
def test_ways(script, way: str) -> None:
    text, counted = WAYS[way]
    m, _ = script(text)
    assert m.status == 0, m.stderr
    assert moved(m) == counted


def linux() -> tuple[int, ...]:
    return tuple(int(n) for n in os.uname().release.split('-')[0].split('.')[:2])


def test_files_and_pipes_into_a_socket_are_seen_and_out_of_it_are_not(script) -> None:
    if linux() < (6, 5):
        pytest.skip('before Linux 6.5 sendfile and splice have a way of their own into sockets')
    m, _ = script('''
import tempfile
f = tempfile.TemporaryFile()
f.write(b"x" * 70000)
a, b = tcp()
n = 0
while n < 70000: n += os.sendfile(a.fileno(), f.fileno(), n, 70000 - n)
drain(b, 70000)
r, w = os.pipe()
os.write(w, b"x" * 5000)
assert os.splice(r, a.fileno(), 5000) == 5000
assert os.splice(b.fileno(), w, 5000) == 5000
''')
    assert m.status == 0, m.stderr
    assert moved(m) == (75000, 70000, 0, 0)


def test_children_that_end_at_once_and_nobody_waits_for(script) -> None:
    m, t = script('''
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
a, b = socket.socketpair()
for i in range(200):
    if os.fork() == 0:
        a.send(b"x" * (i + 1))
        os._exit(0)
drain(b, 200 * 201 // 2)
try: os.wait()
except ChildProcessError: pass
''')
    assert moved(m) == (0, 0, 20100, 20100)
    assert of_ends(t) == sorted([(0, 0, n + 1, 0) for n in range(200)] + [(0, 0, 0, 20100)])


def test_threads_and_an_exec_count_for_their_process(script) -> None:
    m, t = script('''
a, b = tcp()
threads = [threading.Thread(target=a.send, args=(b"x" * 1000,)) for i in range(20)]
for x in threads: x.start()
for x in threads: x.join()
b.set_inheritable(True)
after = "import socket, sys; s = socket.socket(fileno=int(sys.argv[1]))\\nn = 20000\\nwhile n: n -= len(s.recv(n))"
threading.Thread(target=os.execv, args=(sys.executable, [sys.executable, "-c", after, str(b.fileno())])).start()
time.sleep(100)
''')
    assert m.status == 0, m.stderr
    assert of_ends(t) == [(20000, 20000, 0, 0)]
    assert moved(m) == (20000, 20000, 0, 0)


def test_the_first_thread_ends_before_the_others(script) -> None:
    m, t = script('''
import ctypes
a, b = tcp()
a.send(b"x" * 100)
def later():
    while open("/proc/self/stat").read().rsplit(")")[1].split()[0] != "Z": pass # of the first thread
    a.send(b"x" * 1000)
    os._exit(0)
threading.Thread(target=later).start()
ctypes.CDLL(None).pthread_exit(None)
''')
    assert moved(m)[:2] == (1100, 0)
    assert of_ends(t) == [(1100, 0, 0, 0)]


def test_a_sample_of_the_living_has_them(script, place: Place) -> None:
    left = place.work / 'left'
    m, t = script(f'''
a, b = socket.socketpair()
here, there = os.pipe()
if os.fork() == 0:
    a.send(b"x" * 4321)
    for fd in range(3): os.close(fd) # the test waits for their end
    open({str(left)!r}, "w").write(str(os.getpid()))
    os.write(there, b"s")
    time.sleep(100)
os.read(here, 1)
''', '--wait', 'root')
    os.kill(int(left.read_text()), signal.SIGKILL)
    assert moved(m) == (0, 0, 4321, 0)
    assert of_ends(t) == []


def test_a_phase_has_its_own(script, place: Place) -> None:
    m, _ = script(f'''
import subprocess
a, b = udp()
def mark(how): subprocess.run([{str(place.dir / 'jobmeter')!r}, "mark", how, "part"], check=True)
time.sleep(0.3)
mark("--begin")
for i in range(10): a.send(b"x" * 1000)
mark("--end")
time.sleep(0.3)
''')
    assert m.status == 0, m.stderr
    phase, = m.summary['phases']
    # between two samples it is taken to have been sent evenly (exact figures: tests/unit/test_report_network.c)
    assert 0 < phase['network']['sent_bytes'] <= 10000
    assert phase['network']['received_bytes'] == 0
    assert moved(m)[0] == 10000


def test_who_is_not_of_the_job_is_not_counted(script) -> None:
    """The other end of its connection."""
    with socket.create_server(('127.0.0.1', 0)) as server:
        server.settimeout(60)

        def answer() -> None:
            with server.accept()[0] as s:
                while s.recv(1000):
                    s.send(b'y' * 20)
        stranger = threading.Thread(target=answer)
        stranger.start()
        m, _ = script(f'''
s = socket.create_connection(("127.0.0.1", {server.getsockname()[1]}))
s.send(b"x" * 10)
drain(s, 20)
''')
        stranger.join()
    assert moved(m) == (10, 20, 0, 0)


def test_without_rights_the_machine_is_told(place: Place) -> None:
    m = place.run('net', 'tcp', '--rounds', '10', options=('-i', '100ms', '--tier', 'D'))
    n = m.summary['network']
    assert n['unix_sent_bytes'] is None
    assert n['source'] is None or n['source'] == '/proc and /sys: interfaces of the machine'
    assert m.summary['groups'][0]['network'] == dict.fromkeys(KEYS)
