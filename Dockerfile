# syntax=docker/dockerfile:1
# Two images from one file: `cpu` and `cuda`. They are set up by the Makefile, as on any machine.
# Build with `make image` or `make image-cuda`; then
#   docker run --rm -v "$PWD:/books:ro" -v audiomill:/home/audiomill audiomill:cpu render book.epub
FROM python:3.12-slim-bookworm AS base
RUN apt-get update \
    && apt-get install --yes --no-install-recommends make \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 audiomill \
    && install --directory --owner audiomill /audiomill /books /home/audiomill/library
USER audiomill
WORKDIR /audiomill
ENV PIP_NO_CACHE_DIR=1 \
    PATH=/audiomill/.venv/bin:$PATH \
    AUDIOMILL_LIBRARY=/home/audiomill/library

FROM base AS cpu
COPY --chown=audiomill . .
# The mark lets messages say that what is missing belongs into another image.
RUN make setup && touch .venv/.audiomill-image
WORKDIR /books
ENTRYPOINT ["audiomill"]
CMD ["--help"]

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
RUN make setup EXTRAS=kokoro && touch .venv/.audiomill-image
WORKDIR /books
ENTRYPOINT ["audiomill"]
CMD ["--help"]
