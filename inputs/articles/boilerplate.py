"""Tells lines of an article that are not its text: bylines, dates, buttons, appeals, credits.

An extraction leaves some of them in. Only a line that is nothing else counts: what a sentence of
the article says of subscribing or sharing stays. Words of seven languages are known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from audiomill.inputs.articles.alignment import same_letters
from audiomill.inputs.model.book import Block, BlockKind

_N_FIRST = 10  # blocks at the beginning among which byline and date stand
_N_LAST = 15  # blocks at the end that may be a list of other articles
_PROSE_WORDS = 20  # of a paragraph that is certainly text
_LONGEST_BYLINE = 14  # words
_LONGEST_AFTER_NAME = 3  # times the name; it says what somebody is
_LONGEST_APPEAL = 45
_LONGEST_CREDIT = 20
_LONGEST_TITLE = 9  # of a list of other articles
_LARGEST_LIST = 0.2  # of the words
_MOST_PROSE = 2  # paragraphs in such a list
_EDGES = " \t.!:…*•·|›»→>-–—"

_BUTTON = re.compile(
    r"share|share (?:this|the|via|on) .{1,40}|tweet(?: this)?|pin(?: it)?|print|e-?mail|copy link"
    r"|copied|like|comments?|restack|save|read later|subscribe(?: now| here| today)?"
    r"|sign up(?: now)?"
    r"|log ?in|follow(?: us| me| her| him| them)?(?: on .{1,40})?"
    r"|listen(?: to this article)?|scan to follow"
    r"|click to (?:share|tweet)|read (?:in|on) (?:the )?app|upgrade to paid|view gallery"
    r"|advertisements?|sponsored(?: content)?|paid|anzeige|werbung|publicité|publicidad|pubblicità"
    r"|(?:(?:story|article) )?continues? (?:reading )?(?:below|after) .{1,40}"
    r"|skip ad(?:vertisement)?"
    r"|(?:have|got) a (?:news )?tip\??|click here for more(?: information)?"
    r"|merken|teilen|weiterleiten|drucken|partager(?: sur)?|compartir(?: en)?|condividi"
    r"|compartilhar"
    r"|delen|discover more from .{1,80}|\d+ (?:comments?|shares?|likes?|retweets?|kommentare)"
    r"|[\d.,]+[km]? (?:likes|retweets) .{1,40}",
    re.IGNORECASE,
)
# What leads to another article, at the beginning of a line.
_LEADS_AWAY = re.compile(
    r"(?:(?:see|read|watch) also|also read|read (?:more|next)|related (?:articles?|coverage|posts?"
    r"|reading|stor(?:y|ies))|recommended(?: for you)?|more from .{1,40}|(?:à )?lire aussi|à lire"
    r"|(?:lesen|sehen) sie auch|auch interessant|mehr zum thema|le[ae]r? también|te puede interesar"
    r"|leggi anche|leia (?:também|mais)|lees ook)\s*[:|–—-]\s*\S.*",
    re.IGNORECASE | re.DOTALL,
)
_APPEAL = re.compile(
    r"subscribe for free to|is a reader-supported publication|so feel free to share it"
    r"|consider (?:becoming|being) a (?:free|paid|paying|premium)|currently a free subscriber"
    r"|(?:sign up|subscribe) (?:for|to) (?:our|my|the|this) .{0,50}(?:newsletter|podcast|channel)"
    r"|(?:sign up|subscribe) .{0,40}(?:in|to) your inbox|enter your e-?mail"
    r"|^e-?mail .{1,40} at \S+@\S+"
    r"|(?:^|[.!?] )follow (?:her|him|them|us|me) on (?:twitter|x|facebook|instagram)\b"
    r"|to comment on this (?:article|post|story)|click here to (?:subscribe|sign up|get the)"
    r"|share (?:it|this (?:article|newsletter|post)) (?:with|on)|don[’']t forget to subscribe"
    r"|like what you[’']?(?:re| are)? read|support (?:our|independent) journalism"
    r"|abonnieren sie (?:unseren|den) .{0,30}newsletter|abonnez-vous à (?:notre"
    r"|la) .{0,30}newsletter"
    r"|suscríbete a (?:nuestro|nuestra|la) .{0,30}(?:newsletter|boletín)"
    r"|iscriviti alla (?:nostra )?newsletter",
    re.IGNORECASE,
)
_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|copyright\b).*|.*\ball rights reserved", re.IGNORECASE | re.DOTALL
)
_AGENCIES = (
    r"(?:getty(?: images)?|reuters|associated press|ap photo|afp|shutterstock|istock(?:photo)?"
    r"|alamy"
    r"|unsplash|epa|dpa|picture[ -]alliance|imago(?: images)?|pixabay|wikimedia(?: commons)?"
    r"|flickr)"
)
_CREDIT = re.compile(
    r"\(?(?:photo(?:graph)?s?|images?|pictures?|illustrations?|graphics?|art|video|foto|bild|grafik"
    r"|crédit photo|imagen|immagine)"
    r"(?:\s*:|[ -]?(?:credit|source|quelle)s?\b|\s+(?:by|via|courtesy|from|von|de|di)\b).*"
    r"|\(?(?:credits?|quelle|fuente|fonte|crédits?) ?:.*|©.*"
    rf"|[^.!?]{{0,60}}[/|] ?{_AGENCIES}\b.{{0,30}}|{_AGENCIES}",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"(?:more |related |recommended |popular |recent |latest )+(?:articles|coverage|content"
    r"|links|posts"
    r"|reading|stories|topics|videos)|related|(?:more|also) (?:from|in|on|by) .{1,40}"
    r"|read (?:next|more)"
    r"|you (?:may|might)(?: also)? (?:like|enjoy|be interested in)|recommended(?: for you)?"
    r"|share this (?:article|page|post|story)|leave a (?:comment|reply)|comments"
    r"|subscribe to .{1,60}|newsletter"
    r"|sign up for .{1,60}|follow us.{0,40}|about the authors?|tags|filed under|trending|most read"
    r"|artículos relacionados|noticias relacionadas|más información|te puede interesar"
    r"|mehr zum thema|weitere (?:artikel|beiträge|themen)|das könnte (?:sie"
    r"|dich) auch interessieren"
    r"|verwandte artikel|über den autor|über die autorin|articles? (?:liés|similaires|connexes)"
    r"|sur le même (?:sujet|thème)|à lire (?:aussi|également)|articoli correlati|leggi anche"
    r"|artigos relacionados|leia (?:também|mais)|lees ook|gerelateerde artikelen"
    r"|関連記事|相关阅读|相关文章|推荐阅读",
    re.IGNORECASE,
)
_BY = re.compile(
    r"(?:(?:written |posted |text |story |words )?by|author|von|par|por|di|da|door|text|texte|texto"
    r"|role|автор)\b\s*[:,]?\s+(?=(?-i:[^\W\d_a-zà-ÿ]))",
    re.IGNORECASE,
)
_MONTHS = (
    "jan|january|januar|janvier|enero|gennaio|janeiro|januari|feb|february|februar|février"
    "|febrero|febbraio"
    "|fevereiro|februari|mar|march|märz|mars|marzo|março|maart|apr|april|avril|abril|aprile|may"
    "|mai|mayo"
    "|maggio|maio|mei|jun|june|juni|juin|junio|giugno|junho|jul|july|juli|juillet|julio|luglio"
    "|julho|aug"
    "|august|août|agosto|augustus|sep|sept|september|septembre|septiembre|settembre|setembro|oct"
    "|okt"
    "|october|oktober|octobre|octubre|ottobre|outubro|nov|november|novembre|noviembre|novembro"
    "|dec|dez"
    "|december|dezember|décembre|diciembre|dicembre|dezembro"
)
_DAYS = (
    "mon|monday|montag|lundi|lunes|lunedì|tue|tues|tuesday|dienstag|mardi|martes|martedì|wed"
    "|wednesday"
    "|mittwoch|mercredi|miércoles|mercoledì|thu|thurs|thursday|donnerstag|jeudi|jueves|giovedì|fri"
    "|friday|freitag|vendredi|viernes|venerdì|sat|saturday|samstag|samedi|sábado|sabato|sun|sunday"
    "|sonntag|dimanche|domingo|domenica"
)
_DATED = re.compile(
    rf"\b(?:{_MONTHS}|(?:19|20)\d\d)\b|\d[./年]\d|\bmin(?:ute[ns]?|utos?|uti)?\b", re.IGNORECASE
)
_OF_DATE = re.compile(
    rf"\b(?:{_MONTHS}|{_DAYS}|\d+(?:st|nd|rd|th|er)?|\d+h\d*|published|updated|posted|last|first"
    rf"|modified|on|at|by"
    r"|am|pm|a\.m|p\.m|[ap]|utc|gmt|est|edt|et|cet|ist|pst|pdt|um|uhr|le|la|de|del|à|am|vom|den|der"
    r"|il|h|ore|publié|publicado|veröffentlicht|aktualisiert|stand|mis|jour|actualizado|aggiornato"
    r"|reading|time|read|min|mins|minute|minutes|minuten|minutos?|minuti|lesezeit|lecture|lectura|leitura|lettura|tempo|temps|tiempo"
    r"|di|date|no|issue)\b"
    r"|[\W_年月日時分]+",
    re.IGNORECASE,
)


def are_around(blocks: Sequence[Block], title: str = "", authors: Sequence[str] = ()) -> list[bool]:
    """For each block of an article, in order, whether it is around its text and not part of it.

    `title` and `authors` are those of the article: what says them again at its beginning counts.
    """
    n_first = _n_before_text(blocks)
    marked = [_is_line(block) for block in blocks]
    seen_title = False
    for at, block in enumerate(blocks[:n_first]):
        is_title = bool(title) and same_letters(block.text, title)
        marked[at] |= (is_title and seen_title) or _is_about(block, authors)
        seen_title |= is_title
    end = _end_of_text(blocks)
    return [at >= end or is_line for at, is_line in enumerate(marked)]


def _n_before_text(blocks: Sequence[Block]) -> int:
    """How many blocks stand before the first paragraph."""
    for at, block in enumerate(blocks[:_N_FIRST]):
        if block.kind is not BlockKind.HEADING and _n_words(block) >= _PROSE_WORDS:
            return at
    return min(_N_FIRST, len(blocks))


def _is_line(block: Block) -> bool:
    text = block.text.strip(_EDGES)
    n_words = _n_words(block)
    if block.kind in {BlockKind.CODE, BlockKind.TABLE}:
        return False
    if block.kind in {BlockKind.CAPTION, BlockKind.PARAGRAPH} and _is_credit(block.text):
        return n_words <= _LONGEST_CREDIT
    return bool(
        _BUTTON.fullmatch(text)
        or (n_words <= _LONGEST_APPEAL and _LEADS_AWAY.fullmatch(block.text))
        or (n_words <= _LONGEST_APPEAL and _APPEAL.search(block.text))
        or (n_words <= _LONGEST_CREDIT and _COPYRIGHT.fullmatch(text))
    )


def _is_credit(text: str) -> bool:
    return bool(_CREDIT.fullmatch(text.strip(_EDGES)))


def _is_about(block: Block, authors: Sequence[str]) -> bool:
    """Whether a line before the text only says who wrote it, or when."""
    if block.kind is BlockKind.HEADING or _n_words(block) > _LONGEST_BYLINE:
        return False
    text = block.text
    is_sentence = text.endswith((".", "!", "?"))
    is_named = not is_sentence and any(
        author in text and len(text) <= _LONGEST_AFTER_NAME * len(author) for author in authors
    )
    return is_named or bool(_BY.match(text)) or is_date(text)


def is_date(text: str) -> bool:
    """Whether a line is nothing but a date, a time or the minutes that reading takes."""
    return bool(_DATED.search(text)) and not _OF_DATE.sub("", text)


def _end_of_text(blocks: Sequence[Block]) -> int:
    """Where a list of other articles, or of things to do, begins at the end; else the end."""
    n_words = sum(map(_n_words, blocks))
    n_after = n_prose = 0
    found = len(blocks)
    for at in range(len(blocks) - 1, max(-1, len(blocks) - 1 - _N_LAST), -1):
        n_after += _n_words(blocks[at])
        n_prose += _n_words(blocks[at]) >= _PROSE_WORDS
        if n_after > _LARGEST_LIST * n_words or n_prose > _MOST_PROSE:
            break
        if _n_words(blocks[at]) <= _LONGEST_TITLE and _OTHERS.fullmatch(
            blocks[at].text.strip(_EDGES)
        ):
            found = at
    while found and blocks[found - 1].kind is BlockKind.HEADING:
        found -= 1  # a heading without text
    return found


def _n_words(block: Block) -> int:
    return len(block.text.split())
