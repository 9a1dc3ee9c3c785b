"""Covers: taken as they are, or made into a JPEG that every format and player takes."""

import io
import resource
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from audiomill.inputs.metadata import covers
from audiomill.inputs.metadata.covers import (
    MAX_BYTES,
    MAX_SIDE_PX,
    SQUARE_BYTES,
    fit_cover,
    padded_cover,
    square_cover,
)
from audiomill.inputs.metadata.images import UnusableImage
from audiomill.inputs.model.book import Cover
from support.case_files import each_row_apart
from support.picture_data import BLUE, RED, halves, noise_picture, pixels_of, saved
from support.process_data import TIMEOUT_S

WHITE = (255, 255, 255)
EXIF_ORIENTATION = 0x0112


def is_near(pixel: object, colour: tuple[int, int, int]) -> bool:
    """JPEG changes colours a little."""
    return bool(np.abs(np.subtract(pixel, colour, dtype=float)).max() < 12)


def converted(data: bytes) -> np.ndarray:
    """The pixels of the JPEG that is made of `data`."""
    fitted = fit_cover(data)
    assert fitted.change
    assert fitted.cover.media_type == "image/jpeg"
    assert len(fitted.cover.data) <= MAX_BYTES
    return pixels_of(fitted.cover.data)


def huge_png(width: int, height: int) -> bytes:
    """A small PNG, whole but for its pixels, that declares this size."""
    rows = zlib.compress(bytes(100))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + zlib.crc32(name + body).to_bytes(4)

    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("size", [(64, 48), (MAX_SIDE_PX, 2), (2, MAX_SIDE_PX)])
def test_a_cover_within_the_limits_is_taken_byte_for_byte(kind, size):
    data = saved(halves(*size), kind)
    fitted = fit_cover(data)
    assert (fitted.cover.data, fitted.change) == (data, "")
    assert fitted.cover.media_type == f"image/{kind.lower()}"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_a_large_cover_is_scaled_in_proportion(kind):
    pixels = converted(saved(halves(2 * MAX_SIDE_PX, 30), kind))
    assert pixels.shape == (15, MAX_SIDE_PX, 3)
    assert is_near(pixels[7, 700], RED)
    assert is_near(pixels[7, 2300], BLUE)


def test_a_heavy_cover_is_compressed_first_and_scaled_then():
    heavy = saved(noise_picture(1500, 1000), "PNG")
    assert len(heavy) > 4 * MAX_BYTES
    pixels = converted(heavy)
    assert pixels.shape[1] < 1500
    assert abs(pixels.shape[0] / pixels.shape[1] - 2 / 3) < 0.01
    as_png = saved(noise_picture(200, 100).resize((2000, 1000)), "PNG")
    assert len(as_png) > MAX_BYTES
    assert converted(as_png).shape == (1000, 2000, 3)


def test_a_heavy_cover_keeps_the_pixels_that_acx_asks_for_at_a_lower_quality(monkeypatch):
    """Of 2400 pixels, as detailed as a photograph: over the limit at the usual quality."""
    monkeypatch.setattr(covers, "MAX_BYTES", MAX_BYTES // 8)
    grain = np.random.default_rng(1).normal(0, 10, (300, 2400, 3))
    picture = Image.fromarray((120 + grain).astype(np.uint8))
    assert len(saved(picture, "JPEG", quality=85)) > MAX_BYTES // 8
    assert converted(saved(picture, "PNG")).shape == (300, 2400, 3)


def test_the_change_is_told_with_both_sizes():
    fitted = fit_cover(saved(halves(2 * MAX_SIDE_PX, 30), "PNG"))
    assert "PNG picture of 6000 × 30 pixels" in fitted.change
    assert "JPEG picture of 3000 × 15" in fitted.change


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "GIF"])
def test_what_is_transparent_becomes_white(kind):
    picture = halves(2 * MAX_SIDE_PX, 30).convert("RGBA")
    picture.paste((0, 0, 0, 0), (0, 0, MAX_SIDE_PX, 30))
    pixels = converted(saved(picture, kind))
    assert is_near(pixels[7, 700], WHITE)
    assert is_near(pixels[7, 2300], BLUE)


def test_only_the_first_picture_of_an_animation_is_taken():
    frames = [halves(), Image.new("RGB", (64, 48), WHITE)]
    for kind in ("WEBP", "GIF"):
        data = saved(frames[0], kind, save_all=True, append_images=frames[1:])
        assert is_near(converted(data)[20, 10], RED), kind


def test_a_cmyk_jpeg_of_moderate_size_becomes_rgb():
    fitted = fit_cover(saved(halves(800, 800).convert("CMYK"), "JPEG"))
    assert "in CMYK; a JPEG picture of 800 × 800" in fitted.change
    with Image.open(io.BytesIO(fitted.cover.data)) as image:
        assert (image.mode, image.size) == ("RGB", (800, 800))
        assert is_near(np.asarray(image)[400, 100], RED)


def test_sixteen_bits_of_grey_keep_their_brightness():
    ramp = np.linspace(0, 65535, 2 * MAX_SIDE_PX).astype("<u2")
    picture = Image.fromarray(np.broadcast_to(ramp, (10, ramp.size)).copy())
    pixels = converted(saved(picture, "PNG"))
    for x in (300, 1500, 2700):
        assert is_near(pixels[2, x], (255 * x // MAX_SIDE_PX,) * 3)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "PA", "RGBA", "CMYK", "YCbCr"])
def test_every_kind_of_pixel_is_read(mode):
    kind = "JPEG" if mode in {"CMYK", "YCbCr"} else "PNG"
    picture = Image.new("L", (2 * MAX_SIDE_PX, 10), 255).convert(mode if mode != "PA" else "LA")
    assert is_near(converted(saved(picture, kind))[2, 100], WHITE)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_turned_photograph_stands_upright(orientation):
    """The seven ways in which a camera says how to turn a picture."""
    upright = halves(60, 6400)
    upright.paste(WHITE, (0, 0, 60, 1000))  # the upper end
    turns = {
        2: (Image.Transpose.FLIP_LEFT_RIGHT,),
        3: (Image.Transpose.ROTATE_180,),
        4: (Image.Transpose.FLIP_TOP_BOTTOM,),
        5: (Image.Transpose.TRANSPOSE,),
        6: (Image.Transpose.ROTATE_90,),
        7: (Image.Transpose.TRANSVERSE,),
        8: (Image.Transpose.ROTATE_270,),
    }
    stored = upright
    for turn in turns.get(orientation, ()):
        stored = stored.transpose(turn)
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = orientation
    pixels = converted(saved(stored, "JPEG", exif=exif))
    assert pixels.shape[:2] == (3000, 28)
    assert is_near(pixels[100, 5], WHITE)
    assert is_near(pixels[2000, 5], RED)
    assert is_near(pixels[2000, 23], BLUE)


def test_a_large_photograph_keeps_its_colour_space():
    for space, is_kept in ((b"RGB ", True), (b"CMYK", False)):
        profile = bytes(range(16)) + space + bytes(range(200))
        fitted = fit_cover(saved(halves(2 * MAX_SIDE_PX, 30), "JPEG", icc_profile=profile))
        assert (profile in fitted.cover.data) is is_kept


def test_the_same_cover_gives_the_same_bytes():
    data = saved(halves(2 * MAX_SIDE_PX, 30), "PNG")
    assert fit_cover(data) == fit_cover(data)


def declaring(kind: str, width: int, height: int) -> bytes:
    """A small picture that declares this size."""
    if kind == "PNG":
        return huge_png(width, height)
    data = bytearray(saved(halves(), kind, **({"lossless": True} if kind == "WEBP" else {})))
    if kind == "GIF":
        data[6:10] = struct.pack("<HH", width, height)
    else:  # two sides of 14 bits, less one each
        data[21:25] = (width - 1 | (height - 1) << 14).to_bytes(4, "little")
    return bytes(data)


@each_row_apart
def test_more_pixels_than_memory_holds_are_refused_unread(kind, width, height, told):
    """A decoder of WebP needs more for each, and any much for each row, however short."""
    for fitted in (fit_cover, square_cover):
        with pytest.raises(UnusableImage, match=told):
            fitted(declaring(kind, width, height))


def test_a_size_declared_twice_is_not_believed():
    """The first IHDR is small, the one that a decoder would use is not."""
    large = huge_png(9000, 9000)
    small = saved(halves(3001, 1), "PNG")
    header = slice(8, 33)
    with pytest.raises(UnusableImage, match="damaged"):
        fit_cover(small[: header.stop] + large[header] + small[header.stop :])


@pytest.mark.prove
def test_the_largest_cover_fits_into_memory():
    """As that of a book and of an article, in a process that may use no more than 640 MiB."""
    program = (
        "import io\n"
        "from PIL import Image\n"
        "from audiomill.inputs.metadata.covers import fit_cover, square_cover\n"
        "file = io.BytesIO()\n"
        "Image.new('RGBA', (7000, 7000)).save(file, 'PNG')\n"
        "print(fit_cover(file.getvalue()), square_cover(file.getvalue()))"
    )

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (640 << 20, 640 << 20))

    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        preexec_fn=limit,
        timeout=TIMEOUT_S,
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_a_cover_that_is_cut_short_is_refused(kind, share):
    data = saved(noise_picture(3100, 4), kind)
    with pytest.raises(UnusableImage):
        fit_cover(data[: int(share * len(data))])


SMALL = {
    kind: saved(
        noise_picture(30, 20), kind, **({"exif": b"Exif\0\0MM\0*"} if kind == "JPEG" else {})
    )
    for kind in ("JPEG", "PNG", "WEBP", "GIF")
}
LARGE = {kind: saved(halves(3200, 4), kind) for kind in SMALL}


@given(
    st.sampled_from([*SMALL.values(), *LARGE.values()]),
    st.lists(st.tuples(st.floats(0, 0.999), st.binary(max_size=6)), max_size=4),
)
def test_damaged_covers_are_refused_or_read_but_never_an_error(data, changes):
    for share, new in changes:
        at = int(share * len(data))
        data = data[:at] + new + data[at + len(new) :]
    try:
        assert fit_cover(data).cover.data
    except UnusableImage as error:
        assert str(error)


@pytest.mark.parametrize(
    ("size", "side_px"), [((1200, 630), 630), ((500, 2000), 500), ((4000, 3000), 1400)]
)
def test_a_square_cover_is_the_middle_of_a_picture(size, side_px):
    pixels = pixels_of(square_cover(saved(halves(*size), "JPEG")).data)
    assert pixels.shape == (side_px, side_px, 3)
    middle = side_px // 2
    assert abs(pixels[middle, middle - side_px // 8].astype(int) - RED).max() < 12
    assert abs(pixels[middle, middle + side_px // 8].astype(int) - BLUE).max() < 12


def test_a_square_picture_of_moderate_size_stays_byte_for_byte():
    data = saved(halves(600, 600), "PNG")
    assert square_cover(data) == Cover("image/png", data)


def test_a_square_cover_of_noise_is_made_light():
    data = saved(noise_picture(1400, 1400), "PNG")
    cover = square_cover(data)
    assert len(cover.data) <= SQUARE_BYTES < len(data)


@pytest.mark.parametrize("size", [(199, 800), (800, 1)])
def test_what_is_too_small_to_show_is_no_cover(size):
    with pytest.raises(UnusableImage, match="at least 200 pixels"):
        square_cover(saved(halves(*size), "PNG"))


def padded(data: bytes) -> np.ndarray:
    return pixels_of(padded_cover(fit_cover(data).cover).data).astype(int)


@given(st.integers(16, 90), st.integers(16, 90), st.sampled_from(["JPEG", "PNG"]))
def test_a_padded_cover_is_the_whole_picture_in_a_square(width, height, kind):
    """Of which the stripes have the colours of the edges that they continue."""
    picture = Image.new("RGB", (width, height), RED)
    picture.paste(BLUE, (width // 2, height // 2, width, height))
    pixels = padded(saved(picture, kind))
    side = max(width, height)
    assert pixels.shape == (side, side, 3)
    left, top = (side - width) // 2, (side - height) // 2
    inside = pixels[top : top + height, left : left + width]
    known = np.asarray(picture).astype(int)
    assert np.median(np.abs(inside - known)) < 12
    if top > 1:
        assert is_near(np.median(pixels[:top], axis=(0, 1)), np.median(known[0], axis=0))
    if left > 1:
        assert is_near(np.median(pixels[:, :left], axis=(0, 1)), np.median(known[:, 0], axis=0))


def test_each_stripe_has_the_colour_of_its_own_edge():
    pixels = padded(saved(halves(200, 300), "PNG"))
    assert pixels.shape == (300, 300, 3)
    assert is_near(pixels[150, 20], RED)
    assert is_near(pixels[150, 280], BLUE)
    turned = padded(saved(halves(200, 300).transpose(Image.Transpose.ROTATE_270), "PNG"))
    assert is_near(turned[20, 150], RED)
    assert is_near(turned[280, 150], BLUE)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_square_cover_is_not_padded(kind):
    cover = fit_cover(saved(halves(64, 64), kind)).cover
    assert padded_cover(cover) is cover


def test_a_padded_cover_is_no_larger_than_others():
    cover = padded_cover(fit_cover(saved(noise_picture(1000, 3000), "JPEG", quality=50)).cover)
    assert len(cover.data) <= MAX_BYTES
    assert pixels_of(cover.data).shape[0] <= MAX_SIDE_PX
