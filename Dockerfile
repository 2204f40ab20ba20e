# Snellen in a container: docs/how-to/install.md says how to build and run it.
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src src
COPY docs docs
RUN python -m pip install --no-cache-dir build \
    && python -m build --wheel --outdir /wheels

FROM python:3.12-slim
# Extras of pyproject.toml, separated by commas.
ARG EXTRAS=analytics,fusion
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir "$(ls /wheels/*.whl)${EXTRAS:+[$EXTRAS]}" \
    && useradd --create-home --uid 1000 snellen \
    && mkdir -m 1777 /tmp/snellen /tmp/numba
# Any user may write these, also where a volume is mounted: `docker run --user` works.
ENV SNELLEN_CACHE=/tmp/snellen NUMBA_CACHE_DIR=/tmp/numba
USER snellen
WORKDIR /work
ENTRYPOINT ["snellen"]
CMD ["--help"]
