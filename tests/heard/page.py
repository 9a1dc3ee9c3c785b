"""A page: a player for each rendering, what was heard otherwise, a picture of each break."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

import numpy as np
from PIL import Image
from scipy.signal import stft

from audiomill.flows.pipeline.suspects import Suspect
from heard.breaks import HeardBreak
from heard.faults import VoiceFaults
from heard.listening import Difference
from heard.results import FAULTS_HEADINGS, HEADINGS, Result, faults_row, row
from heard.word_times import TimedWord

AROUND_S = 0.6  # a picture shows so much before and after the cut
LOWEST_DB = -80.0
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; font-size: 14px } th, td { padding: 2px 8px; text-align: left }
tr:nth-child(even) { background: #f2f2f2 } audio { width: 100% }
figure { display: inline-block; margin: 4px; font-size: 12px } .both { color: #666 }
"""


def write_page(results: Sequence[Result], faults: Sequence[VoiceFaults], out: Path) -> Path:
    """Write index.html and its pictures into `out`."""
    pictures = out / "breaks"
    pictures.mkdir(exist_ok=True)
    parts = [
        _table(HEADINGS, map(row, results)),
        _table(FAULTS_HEADINGS, map(faults_row, faults)),
        *(f"<p>{_false_alarm(one)}</p>" for voice in faults for one in voice.false_alarms),
        *(part for one in results for part in _section(one, out, pictures)),
    ]
    page = out / "index.html"
    page.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Heard</title>'
        f"<style>{STYLE}</style><h1>Heard</h1>{''.join(parts)}</html>"
    )
    return page


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(one)}</th>" for one in headings)
    body = ("".join(f"<td>{escape(cell)}</td>" for cell in cells) for cells in rows)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{cells}</tr>' for cells in body)}</table>"


def _section(result: Result, out: Path, pictures: Path) -> Iterator[str]:
    yield f"<h2>{escape(result.rendering.case.name)}</h2>"
    for label, path in (("ours", result.rendering.audio), ("upstream", result.upstream_audio)):
        if path is not None:
            source = escape(path.relative_to(out).as_posix())
            yield f'<p>{label}<audio controls preload="none" src="{source}"></audio></p>'
    alone = {*result.ours_alone}
    yield "".join(f"<p{_class(one in alone)}>{_difference(one)}</p>" for one in result.differences)
    yield "".join(f"<p>{_early_or_late(one)}</p>" for one in result.words if one.is_far_off)
    for one in result.breaks:
        yield _figure(result, one, pictures)


def _class(is_ours_alone: bool) -> str:
    return "" if is_ours_alone else ' class="both"'


def _difference(one: Difference) -> str:
    return f"{one.at_s:.1f} s: {escape(one.around)} · heard: <b>{escape(one.heard or '–')}</b>"


def _early_or_late(word: TimedWord) -> str:
    side = "late" if word.late_s > 0 else "early"
    off_ms = abs(word.late_s) * 1000
    return f"{off_ms:.0f} ms {side}: {escape(word.word)}, {word.at_s:.2f} s in {word.segment_id}"


def _false_alarm(one: Suspect) -> str:
    return f"{one.at_s:.1f} s: {escape(one.text)} · suspected: {one.fault}, {escape(one.words)}"


def _figure(result: Result, one: HeardBreak, pictures: Path) -> str:
    name = f"{result.rendering.case.name} {one.segment_id} {one.at_s:.2f}.png".replace("/", "-")
    clips = {segment.segment_id: clip for segment, clip in result.rendering.segments}
    samples = clips[one.segment_id].samples
    _picture(samples, result.rendering.sample_rate, one.at_s).save(pictures / name)
    heard = "runs on" if one.heard_s is None else f"heard {one.heard_s:.2f} s"
    level = "" if one.cut_db is None else f", {one.cut_db:.0f} dB"
    caption = f"{one.segment_id}, {one.at_s:.2f} s: asked {one.asked_s:.2f} s, {heard}{level}"
    return (
        f'<figure><img src="breaks/{escape(name)}" alt=""><figcaption>{escape(caption)}'
        "</figcaption></figure>"
    )


def _picture(samples: np.ndarray, sample_rate: int, at_s: float) -> Image.Image:
    """The spectrogram around `at_s`, black where it is quiet; a line marks the place."""
    first = max(0, round((at_s - AROUND_S) * sample_rate))
    part = samples[first : round((at_s + AROUND_S) * sample_rate)]
    _, times, values = stft(part, sample_rate, nperseg=480, noverlap=360)
    levels = 20 * np.log10(np.maximum(np.abs(values), 1e-9))
    shade = (levels - levels.max() - LOWEST_DB) / -LOWEST_DB
    grey = (shade.clip(0, 1) * 255).astype(np.uint8)[::-1]
    at = int(np.searchsorted(times, at_s - first / sample_rate))
    grey[:, min(at, grey.shape[1] - 1)] = 255
    return Image.fromarray(grey).resize((2 * grey.shape[1] // 2, 120))
