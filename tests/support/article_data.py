"""A web page with an article, and all that stands around one."""

PARAGRAPHS = (
    "The mill at the end of the quay had not turned for eleven years when the storm came, and"
    " nobody in the town could remember who had last oiled its gears.",
    "Hanna Brink, who keeps the harbour light, heard it first. “It was a groan,” she said, “like a"
    " ship that is pushed off a sandbank, and then the whole house began to shake.”",
    "By midnight the sails were turning so fast that the brake smoked. Three men climbed the stairs"
    " with wet sacks, and only the oldest of them knew which lever was which.",
    "The grain in the loft was ground before the wind went down. In the morning the baker found"
    " forty sacks of flour at his door, and a bill for one night’s work.",
    "The council will decide in May whether the mill is repaired. The baker, who has sold every"
    " loaf of it, has offered to pay for the first sail.",
)


def article_page(
    title: str = "The Mill That Turned by Itself",
    paragraphs: tuple[str, ...] = PARAGRAPHS,
    head: str = "",
) -> str:
    """The HTML of a news page: menus, a teaser that repeats a line, an article, a footer."""
    text = "\n".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"""<!DOCTYPE html><html lang="en-GB"><head><title>{title} | The Quay Times</title>
<meta property="og:title" content="{title}"><meta name="author" content="Jan Mertens">
<meta property="og:site_name" content="The Quay Times">
<meta property="article:published_time" content="2026-03-02T06:00:00+00:00">{head}</head><body>
<header><nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li>
<li><a href="/sport">Sport</a></li></ul></nav></header>
<div class="teasers"><a href="/a">{title}</a><a href="/b">Ten ways to tie a knot</a></div>
<main><article><h1>{title}</h1><p class="byline">By <a href="/jan">Jan Mertens</a></p>
{text}
<figure><img src="mill.jpg" alt="The mill in the storm">
<figcaption>The mill on Sunday</figcaption></figure>
</article></main>
<aside><h2>Most read</h2><ol><li><a href="/c">Fish prices fall again</a></li>
<li><a href="/d">A lighthouse is for sale</a></li></ol></aside>
<footer><p>Share this page. © The Quay Times. All rights reserved.</p></footer></body></html>"""
