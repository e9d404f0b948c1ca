"""Names and arguments are what somebody chose to make them. Every output stays what it is: text, JSON, XML, a table."""
from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest
from manners import Desk

KINDS = ['blank', 'paren', 'newline', 'utf8', 'script', 'quote', 'escape', 'empty', 'long']
HOSTILE: list[str | bytes] = ['\x1b]0;title\x07', 'a\nb\r\tc', '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' OR 1=1 --", b'\x7f\x80',
           b'\xff\xfe\xc3(', '\u202eright to left\u2066', '\ufeff', '&amp;\\u0000', '`rm -rf`$(id)|x|', '</title></style>]]>', '=cmd|calc', 'é€😀']
# what a terminal acts upon: C0 but newline, DEL, and C1 as UTF-8
CONTROL = re.compile('[\x00-\x09\x0b-\x1f\x7f\x80-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]')


class Page(HTMLParser):
    """Elements that a hostile text would have made."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ('img', 'iframe', 'object', 'embed', 'base', 'form') or any(k.startswith('on') for k, _ in attrs):
            self.bad.append(tag)
        if tag == 'script' and dict(attrs).get('type') != 'application/json':
            self.bad.append(tag)


def check_outputs(desk: Desk, recording: str) -> None:
    def rendered(form: str) -> str:
        ran = desk.call(['report', recording, '--format', form])
        assert ran.status == 0, ran.err
        return ran.out.decode('utf-8')  # strict

    for form in ('text', 'short', 'line', 'markdown'):
        found = CONTROL.search(rendered(form))
        assert not found, (form, found)
    summary = json.loads(rendered('json'))
    assert summary['schema'] == 'jobmeter.summary/1'
    page = rendered('html')
    parsed = Page()
    parsed.feed(page)
    assert parsed.bad == []
    assert not CONTROL.search(page.replace('\t', ' ')), 'html'
    for form in ('csv', 'jsonl'):
        ran = desk.call(['export', recording, '-o', '-', '--format', form])
        assert ran.status == 0, ran.err
        text = ran.out.decode('utf-8')
        if form == 'csv':
            rows = list(csv.reader(io.StringIO(text, newline='')))
            assert len({len(row) for row in rows}) == 1
        else:
            assert all(isinstance(json.loads(line), dict) for line in text.splitlines() if line)


@pytest.mark.parametrize('kind', KINDS)
def test_hostile_names_of_processes(desk: Desk, kind: str) -> None:
    ran = desk.measure(desk.workload('names'), kind, '--ms', '30', options=['-i', '10ms', '-o', f'{kind}.jm', '-o', f'{kind}.csv'])
    assert ran.status == 0 and ran.json, ran.err
    assert not CONTROL.search(ran.err.replace('{"program"', '').split('jobmeter: ', 1)[1]), ran.err
    check_outputs(desk, f'{kind}.jm')


def test_hostile_arguments_tags_marks_and_groups(desk: Desk) -> None:
    script = 'i=0; while [ $i -lt 30 ]; do /bin/true; i=$((i+1)); done; for a; do "$0" mark "$a"; "$0" mark --begin "$a"; done; exit 4'
    arguments = [a if isinstance(a, bytes) else a.encode() for a in HOSTILE]
    tags: list[str | bytes] = [x for a in arguments for x in ('--tag', b'key=' + a)]
    ran = desk.call(['run', '-i', '5ms', '-o', 'x.jm', '-o', 'x.jsonl', *tags, '--tag', '<b>=1', '--group', 'a<b>"=true', '--', 'sh', '-c', script,
                     desk.jobmeter, *arguments])  # type: ignore[list-item]
    assert ran.status == 4
    assert not CONTROL.search(ran.err), ran.err
    check_outputs(desk, 'x.jm')
    lines = (desk.work / 'x.jsonl').read_bytes().decode('utf-8').splitlines()
    assert all(json.loads(line) for line in lines)


def test_a_command_that_is_not_found_is_printed_harmlessly(desk: Desk) -> None:
    for command in (b'\x1b[2Jclear', b'\xff\xfe', b'a\nb', '\u202eabc'.encode()):
        ran = desk.popen([desk.jobmeter, 'run', '--', command], stderr=-1)  # type: ignore[list-item]
        _, err = ran.communicate(timeout=20)
        assert ran.returncode == 127
        assert not CONTROL.search(err.decode('utf-8')) and err.count(b'\n') == 1, err


def test_a_very_long_command_line(desk: Desk) -> None:
    many = ['x' * 1000] * 1500
    ran = desk.sh('exit 3', ['-o', 'x.jm'])
    ran = desk.measure('sh', '-c', 'exit 3', *many, options=['-o', 'y.jm'])
    assert ran.status == 3
    assert len(ran.err.splitlines()[0]) <= 120
    check_outputs(desk, 'y.jm')
