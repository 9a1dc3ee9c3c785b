# Two images from one file: `cpu` and `cuda`. They are set up by the Makefile, as on any machine;
# tests/e2e/test_image.py takes the same steps without Docker. With the extras dask and s3, one image
# is scheduler, worker and render of a cluster: docs/cluster.
# Build with `make image` or `make image-cuda`. docs/containers.md says how to run them.
FROM python:3.12-slim-bookworm AS base
# Any user may write into /books and HOME, so that `--user` works.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends make \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 audiomill \
    && install --directory --owner audiomill /audiomill \
    && install --directory --mode 1777 /books /home/audiomill
USER audiomill
WORKDIR /audiomill
# HOME and LOGNAME also for a user whom the image does not know.
ENV HOME=/home/audiomill \
    LOGNAME=audiomill \
    PATH=/audiomill/.venv/bin:$PATH \
    PIP_NO_CACHE_DIR=1

# There is no ENTRYPOINT: Prefect's workers start `prefect flow-run execute` in an image.
FROM base AS cpu
COPY --chown=audiomill . .
# The mark lets messages say that what is missing belongs into another image.
RUN make setup EXTRAS=dask,s3 && python -m compileall -q __init__.py __main__.py inputs renderers outputs flows \
    && touch .venv/.audiomill-image
WORKDIR /books
VOLUME ["/books", "/home/audiomill"]
CMD ["audiomill", "--help"]

# PyTorch from the index brings CUDA's libraries; the host brings the driver. Triton needs a C compiler to
# build the code that launches its kernels. Without one Kokoro's decoder is several times slower.
FROM base AS cuda
USER root
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
USER audiomill
ENV NVIDIA_VISIBLE_DEVICES=all \
    NVIDIA_DRIVER_CAPABILITIES=compute,utility
COPY --chown=audiomill . .
RUN make setup EXTRAS=dask,kokoro,s3 && python -m compileall -q __init__.py __main__.py inputs renderers outputs flows \
    && touch .venv/.audiomill-image
WORKDIR /books
VOLUME ["/books", "/home/audiomill"]
CMD ["audiomill", "--help"]
