"""The cover as a profile asks for it: the whole picture in a square. Pure."""

from __future__ import annotations

from dataclasses import replace

from audiomill.inputs.book import Book
from audiomill.inputs.covers import padded_cover
from audiomill.inputs.images import UnusableImage, identify
from audiomill.outputs.delivery.profile import Delivery


def with_delivered_cover(book: Book, delivery: Delivery) -> Book:
    """The book with a square cover, and a warning that tells so, if its files are to have one.

    A cover that is damaged stays as it is.
    """
    if not delivery.square_cover or book.cover is None:
        return book
    try:
        cover = padded_cover(book.cover)
    except UnusableImage:
        return book
    if cover == book.cover:
        return book
    before, after = (" × ".join(map(str, identify(one.data).size)) for one in (book.cover, cover))
    warning = (
        f"The cover has {before} pixels, and {delivery.profile} asks for a square: it has got"
        f" stripes in the colours of its edges, {after} pixels in all. delivery.square_cover ="
        " false leaves it as it is."
    )
    return replace(book, cover=cover, warnings=(*book.warnings, warning))
