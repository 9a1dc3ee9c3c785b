"""The picture of an article as the cover of its episode, through whole runs."""

import hashlib
from pathlib import Path

import mutagen
import pytest
from lxml import etree
from mutagen.id3 import ID3

from audiomill.flows.errors import UsageError
from support.article_data import PARAGRAPHS, article_page
from support.feed_rules import ITUNES, PODCAST, published
from support.picture_data import BLUE, RED, halves, pixels_of, saved
from support.show_data import run, show_file
from support.web_server import Page, Site, endless

pytestmark = pytest.mark.prove

PICTURE = saved(halves(1200, 630), "JPEG")


def show_of_a_page(folder: Path, site: Site, image: str, picture: object) -> Path:
    """A show of one article, whose page names `image`; `picture` answers for it."""
    head = f'<meta property="og:image" content="{image}">'
    headers = {"ETag": f'"page with {image}"'}
    page = Page(article_page("The mill", head=head).encode(), headers=headers)
    site.pages["/mill"] = once_each(page)
    site.pages["/mill.jpg"] = picture
    return show_file(folder, f'[[sources]]\npage = "{site.url}/mill"')


def once_each(page: Page):
    """The page, or "not modified" for those who have it."""

    def answer(request) -> None:
        is_known = request.headers.get("If-None-Match") == page.headers["ETag"]
        (Page(status=304, headers=page.headers) if is_known else page)(request)

    return answer


def picture(data: bytes, etag: str = '"1"', media_type: str = "image/jpeg"):
    return once_each(Page(data, headers={"ETag": etag, "Content-Type": media_type}))


def entry_of(folder: Path):
    (entry,) = published(folder / "out").values()
    return entry


def pictures_of(folder: Path) -> tuple[str, str, str]:
    """The addresses of pictures that the feed names: the show's, the one for Apple, the own one."""
    channel = etree.parse(folder / "out" / "feed.xml").find("channel")
    found = (channel, channel.find("item"))
    shown = [one.find(f"{{{ITUNES}}}image").get("href") for one in found]
    own = channel.find(f"item/{{{PODCAST}}}image")
    return shown[0], shown[1], "" if own is None else own.get("href")


def audio_of(folder: Path) -> Path:
    return folder / "out" / entry_of(folder).enclosures[0].href.rpartition("/")[2]


def embedded(audio: Path) -> bytes:
    (frame,) = ID3(audio).getall("APIC")
    return frame.data


def frames_of(audio: Path) -> bytes:
    """The file without its tags."""
    return audio.read_bytes()[ID3(audio).size :]


def test_the_lead_picture_is_the_square_cover_of_the_episode(site, tmp_path):
    path = show_of_a_page(tmp_path, site, "/mill.jpg", picture(PICTURE))
    (told,) = [line for line in run(path).warnings if "pixels" in line]
    assert "1 new episode has a picture of fewer than 1,400 pixels" in told
    shows, shown, own = pictures_of(tmp_path)
    assert shown == shows != own
    name = own.rpartition("/")[2]
    data = (tmp_path / "out" / name).read_bytes()
    assert hashlib.sha256(data).hexdigest()[:12] in name
    assert data == embedded(audio_of(tmp_path))
    pixels = pixels_of(data)
    assert pixels.shape == (630, 630, 3)
    assert abs(pixels[300, 20].astype(int) - RED).max() < 12
    assert abs(pixels[300, -20].astype(int) - BLUE).max() < 12
    page = audio_of(tmp_path).with_suffix(".html").read_text()
    assert f'src="{name}"' in page


def test_a_large_picture_is_the_one_that_players_get(site, tmp_path):
    large = picture(saved(halves(1600, 1400), "JPEG"))
    path = show_of_a_page(tmp_path, site, "/mill.jpg", large)
    assert not [line for line in run(path).warnings if "fewer than 1,400 pixels" in line]
    shows, shown, own = pictures_of(tmp_path)
    assert shown == own != shows


def test_a_show_without_a_picture_gets_one_that_players_take(site, tmp_path):
    run(show_of_a_page(tmp_path, site, "/gone.jpg", Page(b"", 404)))
    shows, shown, own = pictures_of(tmp_path)
    assert (shown, own) == (shows, "")
    drawn = (tmp_path / "out" / shows.rpartition("/")[2]).read_bytes()
    assert pixels_of(drawn).shape == (1400, 1400, 3)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (saved(halves(1500, 1500), "PNG"), ""),
        (saved(halves(600, 600), "PNG"), "a PNG of 600 x 600 pixels"),
        (saved(halves(1500, 1400), "JPEG"), "a JPEG of 1500 x 1400 pixels"),
        (b"no picture", "Players show none"),
    ],
)
def test_a_picture_of_the_show_that_players_do_not_take_is_told(site, tmp_path, data, told):
    path = show_file(tmp_path, f'image = "cover.png"\n[[sources]]\npage = "{site.url}/gone"')
    (tmp_path / "cover.png").write_bytes(data)
    lines = [line for line in run(path).warnings if line.startswith("image: ")]
    assert (len(lines), told in "".join(lines)) == (bool(told), True)


def test_a_picture_that_cannot_be_read_is_told_before_anything_is_fetched(site, tmp_path):
    path = show_of_a_page(tmp_path, site, "/gone.jpg", Page(b"", 404))
    path.write_text(f'image = "."\n{path.read_text()}')
    with pytest.raises(UsageError, match="it is a folder, not a file"):
        run(path)
    assert site.asked == []


def test_a_picture_is_fetched_once_while_its_page_stays(site, tmp_path):
    path = show_of_a_page(tmp_path, site, "/mill.jpg", picture(PICTURE))
    run(path)
    before = (tmp_path / "out" / "feed.xml").read_bytes()
    assert run(path).made == ()
    assert site.asked.count("/mill.jpg") == 1
    del site.pages["/mill.jpg"]
    assert run(path).made == ()
    assert (tmp_path / "out" / "feed.xml").read_bytes() == before


def test_another_picture_changes_the_tags_and_renders_nothing(site, tmp_path):
    path = show_of_a_page(tmp_path, site, "/mill.jpg", picture(PICTURE))
    run(path)
    old, old_image = audio_of(tmp_path), pictures_of(tmp_path)[2]
    frames, cover = frames_of(old), embedded(old)
    shards = {one: one.stat().st_mtime_ns for one in (tmp_path / "store").rglob("*.shard")}
    other = picture(saved(halves(400, 400).rotate(90), "PNG"), '"2"', "image/png")
    site.pages["/new.png"] = other
    show_of_a_page(tmp_path, site, "/new.png", other)
    assert len(run(path).made) == 1
    new = audio_of(tmp_path)
    assert (frames_of(new) == frames, embedded(new) == cover) == (True, False)
    assert {one: one.stat().st_mtime_ns for one in (tmp_path / "store").rglob("*.shard")} == shards
    assert pictures_of(tmp_path)[2] != old_image
    assert len(list((tmp_path / "out").glob("*.jpg"))) == 0
    assert len(list((tmp_path / "out").glob("*.png"))) == 2  # its own and the show's


UNUSABLE = {
    "missing": (Page(b"", 404), "/missing.jpg: "),
    "page": (picture(PICTURE, media_type="text/html"), "/page.jpg: "),
    "endless": (endless, "/endless.jpg: "),
    "drawing": (picture(b"<svg/>"), "picture is left out"),
    "cut off": (picture(PICTURE[:5000]), "picture is left out"),
    "tiny": (picture(saved(halves(40, 40), "PNG"), media_type="image/png"), "picture is left out"),
}
FORBIDDEN = ("http://169.254.1.1/x.jpg", "file:///etc/passwd", "data:,x", "//")


def test_pictures_that_cannot_be_used_or_asked_for_fail_no_article(site, tmp_path):
    images = {name.replace(" ", ""): f"/{name.replace(' ', '')}.jpg" for name in UNUSABLE}
    for path, (answer, _) in zip(images.values(), UNUSABLE.values(), strict=True):
        site.pages[path] = answer
    images |= {f"forbidden{number}": image for number, image in enumerate(FORBIDDEN)}
    for name, image in images.items():
        head = f'<meta property="og:image" content="{image}">'
        site.pages[f"/{name}"] = Page(article_page(name, PARAGRAPHS[:2], head).encode())
    pages = "".join(f'[[sources]]\npage = "{site.url}/{name}"\n' for name in images)
    done = run(show_file(tmp_path, pages))
    assert (len(done.made), done.unmade_articles) == (len(images), ())
    assert {one for one in site.asked if one.endswith("jpg")} <= {*images.values()}
    told = [word for _, word in UNUSABLE.values()]
    for word in {*told}:
        assert sum(word in line for line in done.warnings) == told.count(word), done.warnings
    channel = etree.parse(tmp_path / "out" / "feed.xml").find("channel")
    assert len(channel.findall("item")) == len(images)
    assert channel.findall(f"item/{{{PODCAST}}}image") == []
    assert all(mutagen.File(one).info.length > 1 for one in (tmp_path / "out").glob("*.mp3"))
