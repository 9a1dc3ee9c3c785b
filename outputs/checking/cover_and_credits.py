"""The cover and the credits of a book as a profile asks for them. Pure; nothing is made up.

A cover becomes a square, with stripes, where the profile has it so; of all else there are warnings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from audiomill.inputs.metadata.covers import padded_cover
from audiomill.inputs.metadata.images import UnusableImage, identify
from audiomill.inputs.model.book import Book, Cover
from audiomill.outputs.checking.profiles import Delivery


def shortfalls(delivery: Delivery, cover: Cover | None, narrators: Sequence[str]) -> Iterator[str]:
    """Warnings about the cover of a book and its credits; `narrators` are whom they name."""
    if delivery.cover_px is not None and cover is not None:
        yield from _of_cover(delivery.profile, delivery.cover_px, cover)
    if not delivery.credits_apart:
        return
    if cover is None:
        yield (
            f"The book has no cover, which {delivery.profile} asks for beside its files:"
            " --set cover=FILE gives it one."
        )
    if not narrators:
        yield (
            f"The credits name no narrator, which {delivery.profile} asks for: name one with"
            " --set narrator=NAME, or under [credits] in the settings."
        )


def _of_cover(profile: str, least_px: int, cover: Cover) -> Iterator[str]:
    try:
        width, height = identify(cover.data).size
    except UnusableImage:
        return
    if min(width, height) < least_px or width != height:
        yield (
            f"The cover has {width} × {height} pixels. {profile} asks for a square of at least"
            f" {least_px} × {least_px}: name another picture. This one stays as it is."
        )


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
