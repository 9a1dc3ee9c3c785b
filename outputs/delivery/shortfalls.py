"""What a book itself lacks for those that its files are made for. Pure; nothing is made up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audiomill.inputs.book import Cover
from audiomill.inputs.images import UnusableImage, identify
from audiomill.outputs.delivery.profile import Delivery


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
