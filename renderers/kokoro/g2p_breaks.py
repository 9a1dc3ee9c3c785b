"""What misaki and the libraries below it raise for text that they do not expect. Only a list."""

from __future__ import annotations

# Numbers beyond all names, phonemes without a vowel, words without a reading, and so on: each is
# met by reading less at a time, and what cannot be read at all is left out with a remark.
BREAKS = (ArithmeticError, AssertionError, LookupError, StopIteration, TypeError, ValueError)
