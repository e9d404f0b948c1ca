#!/usr/bin/env python3
"""jmread.py FILE: a second reader of recordings, written from docs/recording-format.md alone, so that a mistake of the
C reader cannot hide behind the same mistake of the writer. Prints JSON Lines as docs/exports.md describes them."""
from __future__ import annotations

import errno
import json
import struct
import sys
from dataclasses import dataclass, field

MAGIC = b'\x8aJML\r\n\x1a\n'
KINDS = {1: 'host', 2: 'job', 3: 'process', 4: 'cgroup', 5: 'cpu', 6: 'disk', 7: 'filesystem', 8: 'network', 9: 'gpu',
         10: 'energy domain', 11: 'self'}
START, END, CORRECTION, EXEC, MARK = 1, 2, 3, 4, 5
UNCHANGED, FRESH, UNREADABLE = 'unchanged', 'fresh', 'unreadable'


class Refused(Exception):
    """The file as a whole cannot be read."""


class Bad(Exception):
    """A payload that means nothing."""


def crc32c(data: bytes) -> int:
    crc = 0xffffffff
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 255] ^ (crc >> 8)
    return crc ^ 0xffffffff


def _crc_table() -> list[int]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82f63b78 if value & 1 else 0)
        table.append(value)
    return table


CRC_TABLE = _crc_table()


class Cursor:
    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def varint(self) -> int:
        value = shift = 0
        while True:
            if self.at >= len(self.data) or shift > 63:
                raise Bad
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                if value >> 64:
                    raise Bad
                return value

    def zigzag(self) -> int:
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def below(self, bits: int) -> int:
        value = self.varint()
        if value >> bits:
            raise Bad
        return value

    def status(self) -> int:
        value = self.zigzag()
        if not -1 << 31 <= value < 1 << 31:
            raise Bad
        return value

    def time(self) -> int:
        value = self.varint()
        if value * 1000 >> 63:
            raise Bad
        return value

    def raw(self, length: int) -> bytes:
        if length > len(self.data) - self.at:
            raise Bad
        self.at += length
        return self.data[self.at - length:self.at]

    def bytes(self) -> bytes:
        return self.raw(self.varint())

    def name(self) -> str:
        value = self.bytes()
        if not 1 <= len(value) <= 256 or b'\0' in value:
            raise Bad
        return value.decode('utf-8', 'replace')


def signed(value: int) -> int:
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


@dataclass
class Column:
    metric: str
    unit: str
    kind: str
    subject_kind: int
    scale: int
    source: str
    exactness: str


@dataclass
class Subject:
    id: int
    kind: int
    parent: int
    start_us: int
    pid: int
    namespace: int
    name: bytes
    command: bytes
    group: bytes
    stored: dict[int, int] = field(default_factory=dict)  # column -> last stored value
    present: set[int] = field(default_factory=set)
    epoch: int = 0


@dataclass
class Event:
    kind: int
    at_us: int
    subject_id: int
    subject: Subject | None
    status: int
    text: bytes = b''
    values: bytes = b''
    figures: list[tuple[int, int]] = field(default_factory=list)  # column, value


@dataclass
class Row:
    subject: Subject
    state: str
    error: int = 0
    values: dict[int, int] = field(default_factory=dict)  # column -> value in the metric's unit


@dataclass
class Sample:
    at_us: int
    wall_us: int
    final: bool
    events: list[Event]
    rows: list[Row]


class Recording:
    """Iterate over it for the samples; why, lost, complete, summary are known afterwards."""

    def __init__(self, data: bytes):
        self.data = data
        if not data:
            raise Refused('the file is empty')
        if data[:8] != MAGIC[:len(data)]:
            raise Refused('not a recording')
        if len(data) < 12:
            raise Refused('cut short')
        self.major, self.minor = struct.unpack('<HH', data[8:12])
        if self.major != 1:
            raise Refused(f'format {self.major}.{self.minor}')
        at, begin = 12, None
        while (found := self.frame(at, check=False)) and isinstance(found, tuple):
            if found[0] == 8:
                checked = self.frame(at)
                if not isinstance(checked, tuple):
                    break
                begin = at
            at = found[2]
        if begin is None:
            raise Refused('nothing of the run')
        run = self.frame(begin)
        assert isinstance(run, tuple)
        self.at = run[2]
        self.run = json.loads(run[1])
        self.columns: list[Column] = []
        self.strings: dict[int, bytes] = {}
        self.highest_string = 0
        self.subjects: dict[int, Subject] = {}
        self.ended: set[int] = set()  # ended in the sample in the making
        self.at_us = 0
        self.offset = self.run['wall_ns'] // 1000 - self.run['boot_ns'] // 1000
        self.epoch = 0
        self.why: str | None = None
        self.lost = 0
        self.complete = False
        self.summary: bytes | None = None

    def frame(self, at: int, check: bool = True) -> tuple[int, bytes, int] | str | None:
        """Type, payload and the next frame's place; a text: why not; None: the end."""
        if at == len(self.data):
            return None
        if len(self.data) - at < 9:
            return 'torn frame'
        length, kind = struct.unpack_from('<IB', self.data, at)
        if length > len(self.data) - at - 9:
            return 'torn frame'
        if length > 16 << 20:
            return 'frame beyond 16 MiB'
        end = at + 5 + length
        if check and crc32c(self.data[at:end]) != struct.unpack_from('<I', self.data, end)[0]:
            return 'bad checksum'
        return kind, self.data[at + 5:end], end + 4

    def __iter__(self):
        good = self.at
        events: list[Event] = []
        waiting = False
        while True:
            found = self.frame(self.at)
            if not isinstance(found, tuple):
                self.why = found or ('the last sample is torn' if waiting else None)
                break
            kind, payload, after = found
            try:
                sample = self.take(kind, Cursor(payload), events)
            except Bad:
                self.why = 'bad payload'
                break
            self.at = after
            waiting |= kind in (1, 2, 3, 4, 6, 7, 11)
            if sample:
                good, waiting, events = self.at, False, []
                yield sample
                for subject_id in self.ended:
                    self.subjects.pop(subject_id, None)
                self.ended = set()
            elif not waiting:
                good = self.at
        self.lost = len(self.data) - good

    def take(self, kind: int, c: Cursor, events: list[Event]) -> Sample | None:
        if kind == 1:
            self.schema(c)
        elif kind == 2:
            self.string_frame(c)
        elif kind == 3:
            self.start(c, events)
        elif kind in (4, 11):
            self.end(c, events, kind == 11)
        elif kind == 6:
            self.mark(c, events)
        elif kind == 7:
            self.event(c, events)
        elif kind in (5, 9):
            return self.rows(c, events, kind == 9)
        elif kind == 10:
            self.complete, self.summary = True, c.data
        return None

    def schema(self, c: Cursor) -> None:
        c.varint()
        for _ in range(c.varint()):
            number = c.varint()
            column = Column(c.name(), c.name(), c.name(), c.varint(), c.varint(), c.name(), c.name())
            if not 1 <= column.scale <= 10**9 or not 1 <= column.subject_kind <= 255 or number >= 4096:
                raise Bad
            if number == len(self.columns):
                self.columns.append(column)
            elif number > len(self.columns) or self.columns[number] != column:
                raise Bad

    def string_frame(self, c: Cursor) -> None:
        number, text = c.varint(), c.bytes()
        if number > self.highest_string + 1 or len(text) > 1 << 20 or number > 65536:
            raise Bad
        if number == 0:
            self.strings = {}
        else:
            self.strings[number] = text
            self.highest_string = max(number, self.highest_string)

    def string(self, c: Cursor) -> bytes:
        number = c.varint()
        if number and number not in self.strings:
            raise Bad
        return self.strings[number] if number else b''

    def names(self, c: Cursor) -> tuple[bytes, bytes, bytes]:
        name, command, group = self.string(c), self.string(c), self.string(c)
        if b'\0' in name or b'\0' in group:
            raise Bad
        return name, command, group

    def start(self, c: Cursor, events: list[Event]) -> None:
        number, flags, kind, parent, at, status = c.below(32), c.varint(), c.varint(), c.below(32), c.time(), c.status()
        start_us, pid, namespace = c.time(), c.below(31), c.varint()
        name, command, group = self.names(c)
        fresh = Subject(number, kind, parent, start_us, pid, namespace, name, command, group)
        known = self.subjects.get(number)
        if number == 0 or not 1 <= kind <= 255 or (known and (known.kind != kind or number in self.ended)):
            raise Bad
        if known:
            known.parent, known.name, known.command, known.group = parent, fresh.name, fresh.command, fresh.group
        else:
            self.subjects[number] = fresh
        if not flags & 1:
            events.append(Event(START, at, number, self.subjects[number], status))

    def figures(self, c: Cursor) -> list[tuple[int, int]]:
        figures = []
        for _ in range(c.varint()):
            figures.append((c.varint(), c.zigzag()))
            if figures[-1][0] >= len(self.columns):
                raise Bad
        return figures

    def end(self, c: Cursor, events: list[Event], correction: bool) -> None:
        number, at, status = c.below(32), c.time(), c.status()
        if number == 0:
            raise Bad
        events.append(Event(CORRECTION if correction else END, at, number, self.subjects.get(number), status,
                            figures=self.figures(c)))
        if not correction and number in self.subjects:
            self.ended.add(number)

    def mark(self, c: Cursor, events: list[Event]) -> None:
        at, what, number, status = c.time(), c.varint(), c.below(32), c.status()
        label, values = self.string(c), c.bytes()
        if what > 2 or (values and values[-1]):
            raise Bad
        events.append(Event(MARK + what, at, number, self.subjects.get(number), status, label, values))

    def event(self, c: Cursor, events: list[Event]) -> None:
        at, kind, number, status = c.time(), c.varint(), c.below(32), c.status()
        event = Event(kind, at, number, self.subjects.get(number), status, c.bytes(), c.bytes(), self.figures(c))
        if not 4 <= kind <= 255 or 5 <= kind <= 7 or (event.values and event.values[-1]):
            raise Bad
        if kind == EXEC and event.subject:
            event.subject.name, event.subject.command, event.subject.group = self.names(c)
        events.append(event)

    def rows(self, c: Cursor, events: list[Event], key: bool) -> Sample:
        if not key and not self.epoch:
            raise Bad
        self.at_us = c.zigzag() + (0 if key else self.at_us)
        flags = c.varint()
        if flags & 2:
            self.offset = c.zigzag() + (0 if key else self.offset)
        if self.at_us < 0 or self.at_us + self.offset < 0 or max(self.at_us, self.at_us + self.offset) * 1000 >> 63:
            raise Bad
        if key:
            self.epoch += 1
        sample = Sample(self.at_us, self.at_us + self.offset, bool(flags & 1), events, [])
        seen: set[int] = set()
        expected = 1
        while (head := c.varint()) != 0:
            if head >> 2 == 0:
                raise Bad
            away = (head >> 2) - 1
            number = expected + (away >> 1 ^ -(away & 1))
            expected = number + 1
            for row in self.row(c, number, head & 3, key):
                if row.subject.id in seen:
                    raise Bad
                seen.add(row.subject.id)
                sample.rows.append(row)
                expected = row.subject.id + 1
        return sample

    def row(self, c: Cursor, number: int, code: int, key: bool) -> list[Row]:
        subject = self.subjects.get(number)
        if not subject:
            raise Bad
        if code == 3:
            return [Row(subject, UNREADABLE, c.varint())]
        if code == 0 and not key:
            behind = sorted(i for i in self.subjects if i > number and i not in self.ended)
            more = c.varint()
            if more > len(behind):
                raise Bad
            return [Row(subject, UNCHANGED)] + [Row(self.subjects[i], UNCHANGED) for i in behind[:more]]
        if subject.epoch != self.epoch:
            subject.epoch, subject.stored, subject.present = self.epoch, {}, set()
        ours = [i for i, column in enumerate(self.columns) if column.subject_kind == subject.kind]
        if code != 1:
            subject.present = self.bits(c, ours)
        present = [i for i in ours if i in subject.present]
        for i in self.changed(c, present):
            delta = c.varint() if self.columns[i].kind == 'counter' else c.zigzag()
            subject.stored[i] = signed(subject.stored.get(i, 0) + delta)
        values = {i: subject.stored.get(i, 0) * self.columns[i].scale for i in present}
        if any(not -1 << 63 <= value < 1 << 63 for value in values.values()):
            raise Bad
        return [Row(subject, UNCHANGED) if code == 0 else Row(subject, FRESH, values=values)]

    @staticmethod
    def bits(c: Cursor, columns: list[int]) -> set[int]:
        bitmap = int.from_bytes(c.raw((len(columns) + 7) // 8), 'little')
        if bitmap >> len(columns):
            raise Bad
        return {column for i, column in enumerate(columns) if bitmap >> i & 1}

    def changed(self, c: Cursor, present: list[int]) -> list[int]:
        changed = self.bits(c, present)
        return [i for i in present if i in changed]


# ---- as JSON Lines ----

EVENT_NAMES = {1: 'start', 2: 'end', 3: 'correction', 4: 'exec', 5: 'mark', 6: 'phase_begin', 7: 'phase_end', 8: 'oom',
               9: 'signal', 10: 'gap', 11: 'clock_step', 12: 'lost', 13: 'note'}


def utf8(data: bytes) -> str:
    """Each byte that is no UTF-8 is one U+FFFD."""
    out, at = [], 0
    while at < len(data):
        for length in (1, 2, 3, 4):
            try:
                out.append(data[at:at + length].decode())
                at += length
                break
            except UnicodeDecodeError:
                continue
        else:
            out.append('\ufffd')
            at += 1
    return ''.join(out)


def seconds(us: int) -> str:
    return f'{"-" if us < 0 else ""}{abs(us) // 1000000}.{abs(us) % 1000000:06}'


class Decimals(str):
    """A number that is not whole, as it was written."""


def number_or_text(data: bytes) -> int | str:
    try:
        value = json.loads(data, parse_float=Decimals, parse_constant=int)
    except ValueError:
        return utf8(data)
    return value if type(value) in (int, Decimals) else utf8(data)


class Lines:
    """What `jobmeter export FILE -o OUT.jsonl` writes, as objects; seconds are texts, so that no digit is lost."""

    def __init__(self, recording: Recording):
        self.r = recording
        self.seen: dict[int, dict[str, str]] = {}  # subject kind -> metric -> source
        self.last: dict[int, dict[str, int]] = {}
        self.begin_us = recording.run['boot_ns'] // 1000

    def all(self):
        yield {'type': 'run', 'schema': 'jobmeter.jsonl/1', 'run': self.r.run}
        for sample in self.r:
            for event in sample.events:
                yield self.event(sample, event)
            for row in sample.rows:
                yield from self.row(sample, row)
        yield {'type': 'summary', 'summary': json.loads(self.r.summary) if self.r.summary else None}

    @staticmethod
    def subject(s: Subject) -> dict:
        return {'subject': s.id, 'kind': KINDS.get(s.kind, '?'), 'pid': s.pid or None, 'name': utf8(s.name),
                'group': utf8(s.group or s.name)}

    def event(self, sample: Sample, e: Event) -> dict:
        line: dict = {'type': EVENT_NAMES.get(e.kind, 'event')}
        if e.kind not in EVENT_NAMES:
            line['event'] = e.kind
        line['time'] = seconds(e.at_us - sample.at_us + sample.wall_us)
        line['elapsed'] = seconds(e.at_us - self.begin_us)
        line.update(self.subject(e.subject) if e.subject else {'subject': e.subject_id or None})
        if e.kind in (START, EXEC) and e.subject:
            line['parent'] = e.subject.parent or None
            command = e.subject.command.split(b'\0')
            line['command'] = [utf8(arg) for arg in (command[:-1] if command[-1] == b'' else command)]
            if e.kind == START:
                line['started'] = seconds(e.subject.start_us - self.begin_us)
                line['before_run'] = e.status == 1
        if e.kind == END:
            line['status'] = e.status >> 8 & 255 if e.status >= 0 and not e.status & 127 else None
            line['signal'] = e.status & 127 if e.status >= 0 and e.status & 127 else None
        if e.kind == 9:
            line['signal'] = e.status
        if e.kind == 12:
            line['records'] = e.status
        if e.kind in (END, CORRECTION):
            line['figures'] = {}
            for i, value in e.figures:
                column = self.r.columns[i]
                figure = {'value': value, 'source': column.source, 'exactness': column.exactness}
                line['figures'].setdefault(column.metric, figure)
        elif e.kind not in (START, EXEC):
            line['text'] = utf8(e.text)
        if 5 <= e.kind <= 7:
            line['values'] = {}
            for text in e.values.split(b'\0')[:-1]:
                key, _, number = text.partition(b'=')
                line['values'][utf8(key)] = number_or_text(number)
        return line

    def row(self, sample: Sample, row: Row):
        seen = self.seen.setdefault(row.subject.kind, {})
        if row.state == FRESH:
            values: dict[str, int] = {}
            for i, value in sorted(row.values.items()):
                column = self.r.columns[i]
                if column.metric in values:
                    continue
                values[column.metric] = value
                if seen.get(column.metric) != column.source:
                    seen[column.metric] = column.source
                    yield {'type': 'column', 'kind': KINDS.get(row.subject.kind, '?'), 'metric': column.metric,
                           'unit': column.unit, 'metric_kind': column.kind, 'source': column.source,
                           'exactness': column.exactness}
            self.last[row.subject.id] = values
        held = {} if row.state == UNREADABLE else self.last.get(row.subject.id, {})
        error = None
        if row.state == UNREADABLE:
            error = errno.errorcode.get(row.error, f'errno {row.error}')
        yield {'type': 'sample', 'time': seconds(sample.wall_us), 'elapsed': seconds(sample.at_us - self.begin_us),
               **self.subject(row.subject), 'state': row.state, 'error': error,
               'values': {metric: held.get(metric) for metric in seen}}


def main() -> int:
    with open(sys.argv[1], 'rb') as file:
        try:
            recording = Recording(file.read())
        except Refused as e:
            print(f'{sys.argv[1]}: {e}', file=sys.stderr)
            return 1
    for line in Lines(recording).all():
        print(json.dumps(line, ensure_ascii=False))
    if recording.why:
        print(f'{sys.argv[1]}: {recording.why} at byte {recording.at}, {recording.lost} bytes lost', file=sys.stderr)
    return 0


if __name__ == '__main__':
    sys.exit(main())
