"""Files that are to have a square cover get the whole picture in one, in their tags and beside."""

from pathlib import Path

import pytest
from mutagen.id3 import ID3

from audiomill.flows.pipeline.report import Report
from audiomill.outputs.checking.profiles import DeliveryChoices
from support.book_data import book_job, rendered
from support.picture_data import BLUE, RED, halves, pixels_of, saved

pytestmark = pytest.mark.prove


def made(folder: Path, profile: str, delivery: DeliveryChoices) -> Report:
    """A book of a sentence, with a portrait for a cover."""
    cover = folder / "kip.png"
    cover.write_bytes(saved(halves(40, 60), "PNG"))
    chosen = {"formats": None, "profile": profile, "metadata": {"cover": str(cover)}}
    return rendered(
        book_job(folder, "# Kip\n\nKip rows.\n", settings={"delivery": delivery}, **chosen)
    )


@pytest.mark.parametrize("profile", ["acx", "podcast"])
def test_a_portrait_stands_in_a_square_with_its_own_colours(tmp_path: Path, profile: str) -> None:
    report = made(tmp_path, profile, DeliveryChoices(sidecars=("cover.jpg",)))
    path = next(file.path for file in report.files if file.format == "mp3")
    for data in (ID3(path).getall("APIC")[0].data, (path.parent / "cover.jpg").read_bytes()):
        pixels = pixels_of(data).astype(int)
        assert pixels.shape == (60, 60, 3)
        assert abs(pixels[30, 3] - RED).max() < 12
        assert abs(pixels[30, 57] - BLUE).max() < 12
    (told,) = [one for one in report.warnings if "stripes" in one]
    assert "40 × 60" in told
    again = made(tmp_path, profile, DeliveryChoices(sidecars=("cover.jpg",)))
    assert again.result is None


def test_it_stays_a_portrait_if_it_shall(tmp_path: Path) -> None:
    report = made(tmp_path, "acx", DeliveryChoices(square_cover=False))
    path = next(file.path for file in report.files if file.format == "mp3")
    assert pixels_of(ID3(path).getall("APIC")[0].data).shape == (60, 40, 3)
    assert not [one for one in report.warnings if "stripes" in one]
    assert [one for one in report.warnings if "asks for a square" in one]
