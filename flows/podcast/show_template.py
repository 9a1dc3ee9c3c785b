"""The file that `audiomill podcast init` writes: every setting of a show, explained."""

from __future__ import annotations

from pathlib import Path

from audiomill.flows.errors import UsageError

TEMPLATE = """\
# A podcast of articles. Paths are relative to this file. What begins with "# " and a name is off:
# remove the "# " to set it.

title = "Morning reading"
# Where the folder below is served. Each URL of the feed begins with it. {token} in it stands for
# AUDIOMILL_PODCAST_TOKEN of the environment: only who knows that gets the feed.
address = "http://localhost:8000/"
# The feed, its pages and the episodes go here: a folder, or a URL such as "s3://bucket/podcast".
folder = "podcast"
# description = "What I meant to read."
# author = "Me"
# language = "en"
# link = "https://example.org/"    # a page about the show
# image = "cover.jpg"              # square, 1400 to 3000 pixels; one is drawn if there is none
# category = "News"
# explicit = false

# One table for each source. `newest` of its articles are looked at in each run.
[[sources]]
feed = "https://example.org/feed.xml"
# newest = 20
# What only you may read: the secret itself is a variable of the environment, or a Secret block of
# Prefect's, {block:name}. Addresses may have such a part too: "https://example.org/rss?key={env:KEY}"
# headers = { Cookie = "session={env:NEWS_COOKIE}" }
# login = "me:{env:NEWS_PASSWORD}"

# [[sources]]
# page = "https://example.org/one-article"
# [[sources]]
# sitemap = "https://example.org/sitemap.xml"
# [[sources]]
# index = "https://example.org/essays/"      # a page with links to articles
# [[sources]]
# folder = "to-read"                         # of Markdown, EPUB, HTML and text files
# [[sources]]
# mailbox = "newsletters.mbox"               # or one letter: letter.eml
#     [sources.speech]
#     voice = "en-gb"
#     [sources.filters]
#     include = ["/essays/"]                 # regular expressions for the URL or the title
#     exclude = ["^Advertisement"]
#     words = ["harbour", "mill"]            # one of them is in the title or the summary
#     without_words = ["sponsored"]
#     languages = ["en"]
#     max_age_days = 14

# Who reads; a source may have its own. "auto" is the best engine that can speak here in the first
# run. Later runs keep it. To change the voice, write the name of another: `audiomill engines`.
[speech]
engine = "auto"
# voice = "en-gb"
# speed = 1.0

[episodes]
# Said before and after each article. What is in [ ] is left out if it is not known.
# intro = "{title}[, by {author}][. From {site}][, {date}]."
# outro = ""
# keep = 50        # episodes in the feed
# attempts = 5     # at an article that fails, one in each run
# check_speech = false  # true: by recognition; what is not said is spoken again, or reported

[music]
# Audio files of any kind. Each is brought to the level of the voice, however loud it is.
# intro = "theme.mp3"             # plays alone, then ducked under the voice that begins
# outro = "theme.mp3"             # begins under the last words, then plays alone
# sting = "sting.wav"             # between two chapters; 20 seconds at most
# intro_alone_s = 6.0             # seconds before the first word
# intro_under_voice_s = 8.0       # from the first word until it has faded out
# outro_under_voice_s = 8.0       # from its first sound to the last word
# outro_alone_s = 8.0             # after the last word
# fade_s = 3.0                    # in under the voice, and out
# alone_below_voice_db = 3.0      # how much softer than the voice it is alone
# ducked_below_voice_db = 20.0    # and under the voice

# The short articles of a run become one episode, with a chapter for each. Remove the "# " of the
# table to have digests. In its templates are the show's title, the day and the number of articles.
# [digest]
# max_words = 800      # of an article; longer ones stay episodes of their own
# min_articles = 3     # fewer become episodes of their own
# max_articles = 30    # more become several digests
# title = "{show}, {date}"
# intro = "{show}, {date}."
# outro = ""

[fetching]
# wait_s = 1.0     # between two requests to one server
# at_once = 4      # requests to different servers
# robots = true    # what a server's robots.txt forbids is not fetched
"""


def write_new_show(path: Path) -> None:
    """Write the file. Raises UsageError if there is one already, or it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE)
    except FileExistsError as error:
        raise UsageError(f"{path} is there already; it is left as it is.") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}.") from error
