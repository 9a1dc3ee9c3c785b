# syntax=docker/dockerfile:1
# Two images from one file: `cpu` and `cuda`. Their steps are the Makefile's own, so what the tests
# prove holds here. Build with `make image` or `make image-cuda`; then
#   docker run --rm -v "$PWD:/books:ro" -v audiomill:/home/audiomill audiomill:cpu render book.epub
FROM python:3.12-slim-bookworm AS base
RUN apt-get update \
    && apt-get install --yes --no-install-recommends make \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 audiomill \
    && install --directory --owner audiomill /audiomill /books /home/audiomill/library
USER audiomill
WORKDIR /audiomill
# Set up before the code is copied: a change to the code keeps these layers.
COPY --chown=audiomill pyproject.toml constraints.txt Makefile find_python.sh README.md ./
RUN mkdir -p inputs/samples renderers outputs flows
ENV PIP_NO_CACHE_DIR=1 \
    PATH=/audiomill/.venv/bin:$PATH \
    AUDIOMILL_LIBRARY=/home/audiomill/library

FROM base AS cpu
RUN make setup
COPY --chown=audiomill . .
WORKDIR /books
ENTRYPOINT ["audiomill"]
CMD ["--help"]

# The index's torch brings CUDA's libraries, the host the driver. A compiler for C is what Triton starts
# kernels by: without it Kokoro decodes several times slower.
FROM base AS cuda
USER root
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
USER audiomill
ENV NVIDIA_VISIBLE_DEVICES=all \
    NVIDIA_DRIVER_CAPABILITIES=compute,utility
RUN make setup EXTRAS=kokoro
COPY --chown=audiomill . .
WORKDIR /books
ENTRYPOINT ["audiomill"]
CMD ["--help"]
