"""Talks to jobmeter-bpf as jobmeter does, or as somebody who means no good: borrower.py HELPER HOW [PROGRAM ARG...].

HOW `follow` has PROGRAM followed and prints what the ring says of it; the others are lies and mistakes. Prints JSON: what the
helper answered, how it ended, and the records. Needs nothing but Python, as it runs as other users.
"""
from __future__ import annotations

import array
import json
import mmap
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time

REQUEST, REPLY, VERSION = 0x6a6d6271, 0x6a6d6261, b'0.1.0'
HEAD, REPLY_LAYOUT, FIGURES = struct.Struct('<BBHIIIQ'), struct.Struct('<IIII416s'), struct.Struct('<15Q')
KINDS = {1: 'fork', 2: 'exec', 3: 'exit', 4: 'last', 5: 'free', 6: 'free_time'}
NAMES = ('cpu user system rchar wchar syscr syscw read_bytes write_bytes cancelled minor major voluntary involuntary '
         'run_wait').split()
PATIENCE_S = 60
MAPS = 5


def request(version=VERSION, magic=REQUEST, reserved=0) -> bytes:
    return struct.pack('<II24s', magic, reserved, version)


def ask(helper, message, fds, kind=socket.SOCK_SEQPACKET, env=None, words=(), repeat=1):
    ours, its = socket.socketpair(socket.AF_UNIX, kind)
    for _ in range(0 if message is None else repeat):
        ours.sendmsg([message], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', fds))] if fds else [])
    process = subprocess.Popen([helper, *words], stdin=its.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env or {})
    its.close()
    assert process.stderr
    said = process.stderr.read().decode()
    status = process.wait(PATIENCE_S)
    ready, _, _ = select.select([ours], [], [], 0)
    try:
        data, control, _, _ = ours.recvmsg(4096, 4096) if ready else (b'', [], 0, None)
    except ConnectionResetError:  # it has not read what was sent
        data, control = b'', []
    got = array.array('i')
    for level, kind_, bytes_ in control:
        if level == socket.SOL_SOCKET and kind_ == socket.SCM_RIGHTS:
            got.frombytes(bytes_)
    answer = {'status': status, 'stderr': said, 'fds': len(got), 'kinds': [os.readlink(f'/proc/self/fd/{fd}') for fd in got]}
    if data:
        magic, answer['error'], answer['links'], answer['ring_bytes'], words = REPLY_LAYOUT.unpack(data)
        assert magic == REPLY
        answer['words'] = words.split(b'\0')[0].decode()
    return answer, list(got)


def record(data: bytes) -> dict:
    kind, flags, n_args, pid, tid, parent, start = HEAD.unpack_from(data)
    r = {'kind': KINDS[kind], 'flags': flags, 'hidden': bool(flags & 16), 'pid': pid, 'parent': parent, 'raw': len(data)}
    at = HEAD.size
    if kind in (2, 3, 4):
        at += 8
    if kind == 2:
        r['comm'] = data[at:at + 16].split(b'\0')[0].decode()
        r['args'] = data[at + 16:at + 16 + n_args].decode().split('\0')[:-1]
    if kind in (3, 4, 5):
        r['figures'] = dict(zip(NAMES, FIGURES.unpack_from(data, at)))
        at += FIGURES.size
    if kind == 4:
        r['high_water'], r['max_rss'], r['child_user'], r['child_system'], r['status'] = struct.unpack_from('<4QI', data, at)
        r['comm'] = data[at + 40:at + 56].split(b'\0')[0].decode()
    if kind == 6:
        r['figures'] = dict(zip(('cpu', 'user', 'system', 'voluntary', 'involuntary', 'run_wait'), struct.unpack_from('<6Q', data, at)))
    return r


def records(ring: int, size: int) -> list[dict]:
    """All that was written: the ring is not read before, and is larger than what a test writes."""
    page = mmap.PAGESIZE
    with mmap.mmap(ring, page + size, mmap.MAP_SHARED, mmap.PROT_READ, offset=page) as pages:
        end, = struct.unpack_from('<Q', pages)
        at, found = 0, []
        while at < end:
            head, = struct.unpack_from('<I', pages, page + at)
            if head & 1 << 31:
                break
            length = head & ~(3 << 30)
            if not head & 1 << 30:
                found.append(record(pages[page + at + 8:page + at + 8 + length]))
            at += (8 + length + 7) & ~7
        return found


def waiting(argv) -> tuple[int, int, int]:
    """A child that executes argv when its gate is opened: its pid, the gate, and its standard input."""
    gate_out, gate_in = os.pipe()
    line_out, line_in = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(gate_in)
        os.read(gate_out, 1)
        os.dup2(line_out, 0)
        os.execv(argv[0], argv)
    os.close(gate_out)
    os.close(line_out)
    return pid, gate_in, line_in


def await_until(there) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not there() and time.monotonic() < deadline:
        time.sleep(0.01)


def ended(pid: int, found: list[dict]) -> bool:
    return any(r['kind'] == 'last' and r['pid'] == pid for r in found)


def socket_bytes(users: int) -> int:
    """Of all who have used one, a page full."""
    with mmap.mmap(users, mmap.PAGESIZE, mmap.MAP_SHARED, mmap.PROT_READ) as table:
        return sum(sum(struct.unpack_from('<4Q', table, at)) for at in range(0, mmap.PAGESIZE, 64))


def follow(helper, argv, without=None, **how):
    pid, gate, line = waiting(argv)
    answer, fds = ask(helper, request(), [os.pidfd_open(pid)], **how)
    os.close(gate)
    if fds and without is not None:  # once it has executed its program, and waits for a line
        await_until(lambda: any(r['kind'] == 'exec' for r in records(fds[0], answer['ring_bytes'])))
        os.close(fds[MAPS + without])
    os.close(line)
    answer['exit'] = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    answer['first'] = pid
    if fds:
        if without is None:
            await_until(lambda: ended(pid, records(fds[0], answer['ring_bytes'])))
        answer['socket_bytes'] = socket_bytes(fds[2])
        answer['records'] = records(fds[0], answer['ring_bytes'])
    return answer


def own_process(prepare):
    """A child that has prepared itself."""
    done_out, done_in = os.pipe()
    pid = os.fork()
    if pid == 0:
        prepare()
        os.write(done_in, b'd')
        signal.pause()
    os.read(done_out, 1)
    return pid


def not_dumpable():
    import ctypes
    assert ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) == 0


def gone() -> int:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    fd = os.pidfd_open(pid)
    os.waitpid(pid, 0)
    return fd


def main(helper, how, *argv):
    me, pipe = os.pidfd_open(os.getpid()), os.pipe()[0]
    if how == 'follow':
        return follow(helper, argv)
    if how.startswith('without '):
        return follow(helper, argv, without=int(how.split()[1]))
    if how == 'repeated':
        return follow(helper, argv, repeat=20)
    if how == 'environment':
        return follow(helper, argv, env={'LD_PRELOAD': '/nowhere.so', 'LD_LIBRARY_PATH': '/tmp', 'LD_AUDIT': '/nowhere.so',
                                         'GLIBC_TUNABLES': 'glibc.malloc.check=3', 'LANG': 'xx', 'PATH': '/nowhere'},
                      words=['--help', '/etc/shadow'])
    if how == 'pid':
        return ask(helper, request(), [os.pidfd_open(int(argv[0]))])[0]
    child = 0
    if how == 'not dumpable':
        child = own_process(not_dumpable)
    lies = {
        'nothing': (None, []),
        'empty': (b'', [me]),
        'no descriptor': (request(), []),
        'two descriptors': (request(), [me, me]),
        'many descriptors': (request(), [me] * 200),
        'short': (request()[:-1], [me]),
        'long': (request() + b'\0', [me]),
        'huge': (request() * 1000, [me]),
        'garbage': (os.urandom(32), [me]),
        'magic': (request(magic=1), [me]),
        'reserved': (request(reserved=1), [me]),
        'version': (request(version=b'0.0.9'), [me]),
        'pipe': (request(), [pipe]),
        'file': (request(), [os.open('/proc/self/io', os.O_RDONLY)]),
        'folder of a process': (request(), [os.open('/proc/self', os.O_RDONLY)]),
        'ended': (request(), [gone()]),
        'not dumpable': (request(), [os.pidfd_open(child)] if child else []),
    }
    if how == 'stream':
        return ask(helper, request(), [me], kind=socket.SOCK_STREAM)[0]
    answer, _ = ask(helper, *lies[how])
    if child:
        os.kill(child, signal.SIGKILL)
    return answer


if __name__ == '__main__':
    print(json.dumps(main(*sys.argv[1:])))
