"""A page to read along, and what a browser tells of it, as expressions of JavaScript."""

from pathlib import Path

from support.book_data import book_job, rendered

PARAGRAPHS = "\n\n".join(["The mill turned all night. Nobody in the village heard it go."] * 12)
TEXT = f"# A Book\n\n## One\n\n{PARAGRAPHS}\n\n## Two\n\nCafés in Łódź were shut. Owls cried.\n"
LIT = "[...document.querySelectorAll('.lit')].map((one) => one.id).join()"
WORD = "[...CSS.highlights.get('word')].map(String).join()"
VOICE = "document.getElementById('voice')"
IS_AWAY = "!document.getElementById('return').hidden"
# Firefox plays nothing on a machine without a sound card; but into a stream it does.
NEEDS_NO_SOUND_CARD = f"Boolean({VOICE}.mozCaptureStream?.())"

PLACE = f"`${{{LIT}}} ${{{WORD}}}`"  # "s2 turned"
# `marked` holds each place from now on, those between two frames of a busy machine too:
# the page changes a class with each word that it marks.
KEEPS_PLACES = (
    f"(window.marked = [], new MutationObserver(() => marked.push({PLACE}))"
    ".observe(document.body, {subtree: true, attributeFilter: ['class']}), 1)"
)


def page_of(folder: Path, text: str, **choices: object) -> Path:
    """The folder of the page of a book that is spoken in tones."""
    report = rendered(book_job(folder, text, engine="tone", formats=["html"], **choices))
    return next(one.path.parent for one in report.files if one.format == "html")


def middle_of(span: str, first: int) -> str:
    """Where the middle of the second character from one of a span's text is, brought to view."""
    return (
        f"(() => {{ const text = document.getElementById('{span}').firstChild;"
        "const character = document.createRange();"
        "text.parentElement.scrollIntoView({block: 'center'});"
        f"character.setStart(text, {first + 1}); character.setEnd(text, {first + 2});"
        "const box = character.getBoundingClientRect();"
        "return [box.left + box.width / 2, box.top + box.height / 2] })()"
    )
