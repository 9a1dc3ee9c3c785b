"""Whether a sum describes the thing after it: “a $20 bill”, but not “the $5 he owed”.

A describing sum is in the singular, with hyphens: “a twenty-dollar bill”.
"""

from __future__ import annotations

import re

from audiomill.inputs.spoken.rules import Context

# Things that a sum before them describes: “two $20 bills”, “the £5 note”.
_THINGS = frozenset(
    (
        *("bill", "bills", "note", "notes", "coin", "coins", "piece", "pieces", "ticket"),
        *("tickets", "cheque", "cheques", "check", "checks", "stamp", "stamps", "fine", "fines"),
        *("fee", "fees", "prize", "prizes", "reward", "tip", "tips", "loan", "loans", "deal"),
        *("bet", "bets", "voucher", "vouchers", "gift", "grant", "grants", "donation", "deposit"),
        *("house", "lawsuit", "settlement", "bribe", "ransom", "contract", "investment", "debt"),
        *("budget", "fund"),
    )
)
_ARTICLES = frozenset(("a", "an", "another", "each", "every"))
_OWNERS = frozenset(("the", "my", "your", "his", "her", "its", "our", "their", "this", "that"))
# Words after “the $5” that are no things: “the $5 he owed”, “the £5 left”.
_NO_THINGS_OWNED = frozenset(
    (
        *("i", "you", "he", "she", "it", "we", "they", "went", "had", "has", "have", "will"),
        *("would", "could", "can", "should", "came", "back", "left", "spent", "lent", "paid"),
        *("due", "given", "sent", "lost", "won", "made", "taken", "stolen", "were", "are", "into"),
        *("out", "up", "so", "his", "her", "their", "our", "my", "your", "the", "this", "then"),
        *("now", "here", "there", "before", "after", "over", "under", "because", "while", "until"),
        *("again", "today", "not"),
    )
)
# Words after a sum that it does not describe: “a $5 and a $10”.
_NO_THINGS = frozenset(
    (
        *("a", "an", "and", "or", "per", "in", "for", "to", "on", "at", "of", "off", "from", "is"),
        *("was", "by", "as", "if", "but", "that", "when", "each", "more", "less", "with", "which"),
    )
)


def describes(match: re.Match[str], context: Context) -> bool:
    """Whether the sum describes what follows it: “a $20 bill”, “$5-a-day”."""
    end = match.end()
    if re.compile(r"-[a-z]").match(context.text, end):
        return True
    following = context.word_after(end)
    if following in _THINGS:
        return True
    earlier = context.word_before(match.start()).lower()
    if not following.islower() or following in _NO_THINGS:
        return False
    if earlier in _OWNERS:
        return following not in _NO_THINGS_OWNED and not following.endswith(("ed", "ly", "ing"))
    return earlier in _ARTICLES
