"""The page in a real browser: it shows what it should, asks for nothing, runs nothing; the job's words stay words."""
import html.parser
import os
import pathlib
import shutil
import struct
import subprocess
import zlib

import pytest

CHROMIUM = shutil.which('chromium') or shutil.which('chromium-browser') or ''
pytestmark = pytest.mark.skipif(not CHROMIUM, reason='no chromium here')
ALONE = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
         '--disable-background-networking', '--disable-component-update', '--disable-sync', '--hide-scrollbars',
         '--enable-logging=stderr']
LONG_S = 120  # a browser on a busy machine; the test is not about time


@pytest.fixture(scope='session')
def samples(build_dir, tmp_path_factory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp('samples')
    subprocess.run([build_dir / 'tests' / 'unit' / 'render_samples', folder], check=True)
    return folder


@pytest.fixture
def browser(tmp_path):
    def run(page: pathlib.Path, *args: str) -> subprocess.CompletedProcess:
        # a profile and a home of its own: no cache, no start page, nothing of the user
        profile = tmp_path / f'profile-{len(list(tmp_path.iterdir()))}'
        profile.mkdir()
        env = {'PATH': os.environ['PATH'], 'HOME': str(profile), 'LANG': 'C.UTF-8'}
        command = [CHROMIUM, *ALONE, f'--user-data-dir={profile}', *args, page.as_uri()]
        done = subprocess.run(command, capture_output=True, timeout=LONG_S, env=env, check=True)
        said = [line for line in done.stderr.decode(errors='replace').splitlines() if 'CONSOLE' in line]
        assert not said, said  # a refused request or style would be told here
        return done
    return run


def pixels(png: pathlib.Path):
    """Width, height and rows of an 8-bit RGB or RGBA picture; enough of PNG for what chromium writes."""
    data, at, packed = png.read_bytes(), 8, b''
    width = height = depth = 0
    while at < len(data):
        size, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b'IHDR':
            width, height, bits, color = struct.unpack('>IIBB', body[:10])
            assert bits == 8 and color in (2, 6)
            depth = 3 if color == 2 else 4
        elif kind == b'IDAT':
            packed += body
        at += 12 + size
    raw, rows, last = zlib.decompress(packed), [], bytearray(width * depth)
    for y in range(height):
        begin = y * (width * depth + 1)
        kind, row = raw[begin], bytearray(raw[begin + 1:begin + 1 + width * depth])
        for i in range(len(row)):
            a = row[i - depth] if i >= depth else 0
            b, c = last[i], last[i - depth] if i >= depth else 0
            if kind == 1:
                row[i] = (row[i] + a) & 255
            elif kind == 2:
                row[i] = (row[i] + b) & 255
            elif kind == 3:
                row[i] = (row[i] + (a + b) // 2) & 255
            elif kind == 4:
                p = a + b - c
                near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))
                row[i] = (row[i] + near[2]) & 255
        rows.append(bytes(row))
        last = row
    return width, height, depth, rows


def colors(png: pathlib.Path) -> dict:
    _, _, depth, rows = pixels(png)
    count: dict = {}
    for row in rows[::2]:
        for i in range(0, len(row), depth * 2):
            key = row[i:i + 3]
            count[key] = count.get(key, 0) + 1
    return count


class Words(html.parser.HTMLParser):
    """The text of a page, and every tag in it."""

    def __init__(self):
        super().__init__()
        self.text, self.tags, self.style = '', set(), False

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.style = tag == 'style'

    def handle_endtag(self, tag):
        self.style = False

    def handle_data(self, data):
        if not self.style:
            self.text += data


@pytest.mark.parametrize('name', ['pipeline', 'short', 'unknown', 'hostile', 'cut', 'many', 'nonsense'])
def test_the_words_of_the_job_are_shown_as_words(browser, samples, name):
    page = Words()
    page.feed(browser(samples / f'{name}.html', '--dump-dom').stdout.decode())
    assert not page.tags & {'script', 'img', 'iframe', 'link', 'object', 'base'}
    assert 'How it was measured' in page.text
    if name == 'hostile':
        assert '</script><b>x"><img src=x onerror=alert(1)>' in page.text
        assert 'b' in page.tags and '\x1b' not in page.text and '\\x1b[31mred' in page.text


@pytest.mark.parametrize('theme,ground', [('light', b'\xf5\xf6\xf8'), ('dark', b'\x0f\x12\x16')])
def test_both_themes_are_drawn(browser, samples, tmp_path, theme, ground):
    source = samples / 'pipeline.html'
    page = tmp_path / 'page.html'
    text = source.read_text('utf-8').replace('<html lang="en">', f'<html lang="en" data-theme="{theme}">', 1)
    page.write_text(text, 'utf-8')
    png = tmp_path / 'shot.png'
    browser(page, f'--screenshot={png}', '--window-size=1000,1200')
    seen = colors(png)
    assert seen.get(ground, 0) > 1000
    assert len(seen) > 50, 'a picture with curves has many colours'
    # the areas of the memory picture, in the tints of this theme: the style sheet was let in by its hash
    for tint in ('61a8cf', 'f0c361', 'e59b61') if theme == 'light' else ('356a8f', '957426', '965230'):
        assert seen.get(bytes.fromhex(tint), 0) > 200


def test_pictures_stay_readable_without_a_style_sheet(browser, samples, tmp_path):
    """As under a policy that forbids even inline styles: colours come from the attributes, on a ground of their own."""
    text = (samples / 'pipeline.html').read_text('utf-8')
    page = tmp_path / 'bare.html'
    page.write_text(text[:text.index('<style>')] + text[text.index('</style>') + 8:], 'utf-8')
    png = tmp_path / 'shot.png'
    browser(page, f'--screenshot={png}', '--window-size=1000,3000')
    seen = colors(png)
    for tint in ('61a8cf', 'f0c361', 'e59b61'):
        assert seen.get(bytes.fromhex(tint), 0) > 200


@pytest.mark.parametrize('width', [400, 820, 1200])
def test_nothing_is_wider_than_the_window(browser, samples, tmp_path, width):
    """A page that is too wide is scrolled sideways: the last columns of pixels must be the page's ground."""
    png = tmp_path / 'shot.png'
    browser(samples / 'pipeline.html', f'--screenshot={png}', f'--window-size={width},1500')
    got, _, depth, rows = pixels(png)
    assert got == width
    edge = {row[-depth * 4:][i:i + 3] for row in rows for i in range(0, depth * 4, depth)}
    assert len(edge) == 1


def test_it_prints_on_a_few_clean_sheets(browser, samples, tmp_path):
    pdf = tmp_path / 'page.pdf'
    browser(samples / 'pipeline.html', f'--print-to-pdf={pdf}', '--no-pdf-header-footer')
    data = pdf.read_bytes()
    assert data.startswith(b'%PDF') and 1 <= data.count(b'/Type /Page\n') + data.count(b'/Type /Page ') <= 8
