"""What a book lacks for those that its files are made for is told, and nothing is made up."""

import io

import pytest
from PIL import Image

from audiomill.inputs.metadata.images import identify
from audiomill.inputs.model.book import Book, Cover
from audiomill.outputs.checking.cover_and_credits import shortfalls, with_delivered_cover
from audiomill.outputs.checking.profiles import PROFILES, DeliveryChoices, delivery_of


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


def book_with(picture: Cover | None) -> Book:
    return Book("Kip", ("Ann",), "en", (), "0", cover=picture)


@pytest.mark.parametrize("name", ["acx", "podcast", "apple"])
def test_shops_get_the_whole_cover_in_a_square_and_a_small_one_is_still_told(name):
    delivery = PROFILES[name].delivery
    book = with_delivered_cover(book_with(cover(300, 400)), delivery)
    assert book.cover
    assert identify(book.cover.data).size == (400, 400)
    (warning,) = book.warnings
    assert "300 × 400" in warning
    assert "square_cover = false" in warning
    (told, *_) = shortfalls(delivery, book.cover, ("Ann",))
    assert "400 × 400" in told


def test_a_cover_stays_as_it_is_where_no_square_is_asked_for_or_it_is_one():
    acx = PROFILES["acx"].delivery
    for delivery, picture in (
        (PROFILES["audiobookshelf"].delivery, cover(300, 400)),
        (delivery_of(PROFILES["acx"], DeliveryChoices(square_cover=False)), cover(300, 400)),
        (acx, cover(400, 400)),
        (acx, Cover("image/png", b"damaged")),
        (acx, None),
    ):
        assert with_delivered_cover(book_with(picture), delivery) == book_with(picture)
