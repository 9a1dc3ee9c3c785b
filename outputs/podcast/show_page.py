"""The show's page: what it is, how to subscribe, its episodes, and articles that failed."""

from __future__ import annotations

from collections.abc import Sequence

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.html_tree import Content, element, link_to, text_element
from audiomill.outputs.podcast.feed import newest_first
from audiomill.outputs.podcast.page_parts import (
    cover,
    episode_player,
    facts,
    icon,
    language_of,
    outside_link,
    podcast_page,
    site,
    title_of,
)
from audiomill.outputs.podcast.show import INDEX_NAME, Episode, FailedArticle, Show
from audiomill.outputs.podcast.urls import web_url
from audiomill.outputs.text import counted, line, prose

_HOW_TO_SUBSCRIBE = (
    "Copy this address. In your podcast app, choose “Add a show by URL” and paste it."
)


def show_page(
    show: Show, episodes: Sequence[Episode], failed: Sequence[FailedArticle] = ()
) -> bytes:
    """The page as UTF-8, the newest episode first. It opens from a disk, too."""
    body = [
        _header(show),
        element("main", {}, *_episode_list(show, episodes), *_failed_list(failed)),
        _footer(show, len(episodes)),
    ]
    feed = {"rel": "alternate", "type": "application/rss+xml", "href": web_url(show.feed_url)}
    links = [icon(show.image, INDEX_NAME), {**feed, "title": line(show.title)}]
    return podcast_page(show.title, body, links, is_private=show.is_private)


def _header(show: Show) -> Element:
    website = web_url(show.link)
    title = line(show.title)
    about: list[Element] = [text_element("h1", title, show.language)]
    if author := line(show.author):
        about.append(text_element("p", author, show.language, {"class": "facts"}))
    about.append(text_element("p", prose(show.description), show.language, {"class": "prose"}))
    if website:
        about.append(element("p", {}, outside_link(website, site(website))))
    return element(
        "header",
        {"class": "show"},
        cover(show.image, title, INDEX_NAME),
        element("div", {}, *about),
        _subscription(show),
    )


def _subscription(show: Show) -> Element:
    address = web_url(show.feed_url)
    field = {"id": "feed", "type": "text", "readonly": "readonly", "value": address}
    copy = {"type": "button", "data-copies": "feed", "hidden": "hidden"}
    return element(
        "section",
        {"class": "subscribe"},
        element("label", {"for": "feed"}, "Subscribe"),
        element("p", {"id": "how"}, _HOW_TO_SUBSCRIBE),
        element(
            "div",
            {"class": "address"},
            element("input", {**field, "dir": "ltr", "aria-describedby": "how"}),
            element("button", copy, "Copy"),
        ),
        element("p", {"role": "status"}),
    )


def _episode_list(show: Show, episodes: Sequence[Episode]) -> list[Element]:
    heading = element("h2", {}, "Episodes")
    if not episodes:
        return [heading, element("p", {}, "There are no episodes yet.")]
    items = [element("li", {}, _entry(show, episode)) for episode in newest_first(episodes)]
    return [heading, element("ol", {"class": "episodes"}, *items)]


def _entry(show: Show, episode: Episode) -> Element:
    language = language_of(show, episode)
    link = element("a", {"href": link_to(episode.page_name, INDEX_NAME)}, title_of(episode))
    title = element("h3", {"lang": language, "dir": "auto"}, link)
    about = _articles(episode, language) or _summary(episode, language)
    return element(
        "article", {}, title, facts(show, episode), *about, episode_player(episode, INDEX_NAME)
    )


def _summary(episode: Episode, language: str) -> list[Element]:
    summary = prose(episode.summary)
    return [text_element("p", summary, language, {"class": "summary"})] if summary else []


def _articles(episode: Episode, language: str) -> list[Element]:
    """The articles of a digest, as links; none of an episode that is one article."""
    linked = [(one, url) for one in episode.chapters if (url := web_url(one.link))]
    if len(linked) < 2 or web_url(episode.link):
        return []
    attributes = {"lang": language, "dir": "auto"}
    items = [
        element("li", attributes, outside_link(url, line(one.title) or site(url)))
        for one, url in linked
    ]
    return [element("ul", {"class": "articles"}, *items)]


def _failed_list(failed: Sequence[FailedArticle]) -> list[Element]:
    if not failed:
        return []
    intro = "No episodes could be made of these."
    items = [_failed_entry(article) for article in failed]
    section = [element("h2", {}, "Failed articles"), element("p", {}, intro)]
    return [element("section", {"class": "failed"}, *section, element("ul", {}, *items))]


def _failed_entry(article: FailedArticle) -> Element:
    url = web_url(article.url)
    name = line(article.title) or line(article.url)
    title: Content = outside_link(url, name) if url else name
    return element(
        "li",
        {},
        element("strong", {"dir": "auto"}, title),
        element("p", {"dir": "auto"}, prose(article.reason)),
        element("p", {"class": "facts"}, counted(article.attempts, "attempt")),
    )


def _footer(show: Show, n_episodes: int) -> Element:
    notice = line(show.copyright)
    parts: list[Content] = [
        counted(n_episodes, "episode"),
        *([" · ", text_element("span", notice, show.language)] if notice else []),
    ]
    support = [
        outside_link(url, line(one.text) or site(url))
        for one in show.funding
        if (url := web_url(one.link))
    ]
    return element("footer", {}, *parts, *(part for one in support for part in (" · ", one)))
