"""Recognises pages that have no article to read: walls, programs, errors and lists of links."""

from __future__ import annotations

import re

from audiomill.inputs.articles.extraction import Extraction
from audiomill.inputs.model.book import SourceError

_MIN_WORDS = 50
_STUB_WORDS = 400  # of the beginning that a paywall shows
_CONSENT_SHARE = 0.3
# A word, or a character of a script that has no spaces between words.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]{2,}")
_SENTENCE = re.compile(r"[^.!?\n]+")
_LOCKED = re.compile(
    r"[\"']isAccessibleForFree[\"']\s*:\s*[\"']?false|content_tier[\"'][^>]{0,40}(?:locked|metered)",
    re.IGNORECASE,
)
_SUBSCRIBE = re.compile(
    r"subscribe (?:now )?to (?:continue|keep|read|unlock)|already a subscriber|subscribers? only"
    r"|(?:continue|keep) reading (?:with|by|for)|to (?:continue|keep) reading"
    r"|exclusive to subscribers"
    r"|read the (?:full|whole|rest of the) (?:story|article)|create a free account to"
    r"|jetzt abonnieren|weiterlesen mit|nur für abonnent|réservé aux abonnés|abonnez-vous pour"
    r"|suscr[ií]bete para|solo para suscriptores|riservato agli abbonati|exclusivo para assinantes",
    re.IGNORECASE,
)
_CONSENT = re.compile(
    r"cookie|consent|privacy policy|our partners|personali[sz]ed ads|datenschutz|einwilligung"
    r"|confidentialité|privacidad|tracking|gdpr|dsgvo",
    re.IGNORECASE,
)
_NEEDS_SCRIPT = re.compile(
    r"(?:enable|turn on|activate|requires?|needs?|aktivieren|activer|habilit\w+|attiva\w*)"
    r"[^.<]{0,30}java ?script|java ?script[^.<]{0,40}(?:disabled|required|not enabled|enable|"
    r"deaktiviert|aktivieren|désactivé|desactivado)|verify(?:ing)? (?:that )?you are (?:a )?human"
    r"|checking your browser|just a moment\.\.\.",
    re.IGNORECASE,
)
_SCRIPTS = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]*>", re.IGNORECASE | re.DOTALL)
_MISSING = re.compile(
    r"\b404\b|page not found|not be found|seite nicht gefunden|page introuvable"
    r"|p[aá]gina no encontrada|pagina non trovata",
    re.IGNORECASE,
)


class NotAnArticle(SourceError):
    """A page has no article that could be read. The message says why."""


def check_is_article(page: str, found: Extraction, url: str) -> None:
    """Raise NotAnArticle if a page, of which `found` is the article, has none to read."""
    reason = _reason(page, found)
    if reason:
        raise NotAnArticle(f"{url}: {reason}")


def _reason(page: str, found: Extraction) -> str:
    """Why a page is no article; "" if it is one."""
    n_words = len(_WORD.findall(found.text))
    if n_words < _STUB_WORDS and _is_locked(page, found.text, n_words):
        return (
            f"only the beginning is free to read ({n_words} words). Render a page that you have"
            " saved while logged in."
        )
    if n_words < _STUB_WORDS and _is_about_consent(found.text):
        return "the page asks for consent to cookies instead of showing its text."
    if n_words >= _MIN_WORDS:
        return ""
    if _MISSING.search(found.title):
        return "the page says that there is nothing here. Check the address."
    if _NEEDS_SCRIPT.search(page) or _is_program(page):
        return (
            "the page shows its text only to a browser that runs its programs. Save it in one,"
            " and render the saved file."
        )
    return f"no article was found on the page ({n_words} words). Is it a list of articles?"


def _is_locked(page: str, text: str, n_words: int) -> bool:
    asks = bool(_SUBSCRIBE.search(page))
    return asks and (bool(_LOCKED.search(page)) or n_words < _STUB_WORDS / 2 or text.endswith("…"))


def _is_about_consent(text: str) -> bool:
    sentences = [one for one in _SENTENCE.findall(text) if one.strip()]
    about = sum(bool(_CONSENT.search(one)) for one in sentences)
    return len(sentences) >= 3 and about > _CONSENT_SHARE * len(sentences)


def _is_program(page: str) -> bool:
    """Whether a page is nothing but scripts."""
    has_script = "<script" in page.lower()
    return has_script and len(_WORD.findall(_SCRIPTS.sub(" ", page))) < _MIN_WORDS
