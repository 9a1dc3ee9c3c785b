"""The jobs of a digest's articles: each is read as it would be alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from audiomill.flows.job import Job, UsageError
from audiomill.inputs.articles.digest import SUFFIX, Digest, DigestArticle
from audiomill.inputs.casting.cast import Cast
from audiomill.inputs.casting.cast_file import CastInvalid, read_cast
from audiomill.inputs.credits.credits import Credits
from audiomill.inputs.metadata.corrections import Corrections


def is_digest(path: Path) -> bool:
    """Whether the source is a list of articles."""
    return path.suffix == SUFFIX


def job_of_article(job: Job, digest: Digest, article: DigestArticle) -> Job:
    """The job for an article of the digest that `job` is for. Raises UsageError."""
    return replace(
        job,
        source=article.path,
        voice=article.voice,
        cast=_cast(article.cast),
        credits=Credits(enabled=True, opening=digest.intro, closing="", narrator=""),
        chapters="",
        corrections=Corrections(),
    )


def _cast(path: Path | None) -> Cast:
    try:
        return Cast() if path is None else read_cast(path)[1]
    except CastInvalid as error:
        raise UsageError(str(error)) from error
