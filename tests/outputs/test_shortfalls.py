"""What a book lacks for those that its files are made for is told, and nothing is made up."""

import io

import pytest
from PIL import Image

from audiomill.inputs.book import Cover
from audiomill.outputs.delivery.profiles import PROFILES
from audiomill.outputs.delivery.shortfalls import shortfalls


def cover(width: int, height: int) -> Cover:
    file = io.BytesIO()
    Image.new("L", (width, height)).save(file, "PNG")
    return Cover("image/png", file.getvalue())


@pytest.mark.parametrize(
    ("width", "height", "is_told"),
    [(2400, 2400, False), (3000, 3000, False), (2399, 2399, True), (2400, 3000, True)],
)
def test_a_cover_that_is_small_or_no_square_is_told(width, height, is_told):
    told = [*shortfalls(PROFILES["acx"].delivery, cover(width, height), ("Ann",))]
    assert bool(told) == is_told
    assert all(f"{width} × {height}" in one for one in told)


def test_nothing_is_told_where_nothing_is_asked():
    assert [*shortfalls(PROFILES["audiobookshelf"].delivery, cover(10, 20), ())] == []
    assert [*shortfalls(PROFILES["podcast"].delivery, None, ())] == []
    assert len([*shortfalls(PROFILES["acx"].delivery, None, ())]) == 2
