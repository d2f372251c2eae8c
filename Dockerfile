# One image for every command: docker run … carecite ask "What is gout?"
FROM python:3.12-slim

RUN useradd --create-home --uid 10001 carecite && install -d -o carecite /data
WORKDIR /src
COPY constraints.txt pyproject.toml README.md ./
COPY bot bot
COPY reasoning reasoning
COPY storage storage
COPY migrations migrations
COPY config config
# torch comes first: the other packages then find it. An index of CPU builds makes the image far smaller.
ARG TORCH_INDEX=
RUN pip install --no-cache-dir -c constraints.txt ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} torch \
    && pip install --no-cache-dir -c constraints.txt .

# Without CARECITE_CORPUS_URL and CARECITE_HISTORY_URL the embedded server keeps its data below /data.
ENV CARECITE_HOME=/data HF_HUB_OFFLINE=1
VOLUME /data
USER carecite
WORKDIR /data
HEALTHCHECK --interval=5m --timeout=60s --start-period=3m CMD ["carecite", "doctor"]
ENTRYPOINT ["carecite"]
CMD ["--help"]
