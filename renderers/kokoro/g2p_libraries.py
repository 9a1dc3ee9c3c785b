"""How misaki and the libraries below it behave towards text that they do not expect. Only names."""

from __future__ import annotations

import logging

# Numbers beyond all names, phonemes without a vowel, words without a reading, and so on: each is
# met by reading less at a time, and what cannot be read at all is left out with a remark.
BREAKS = (ArithmeticError, AssertionError, LookupError, StopIteration, TypeError, ValueError)

# phonemizer tells a logger of every text whose words it cannot count.
QUIET = logging.Logger("quiet", logging.CRITICAL + 1)
