# One image for every command: docker run … carecite ask "What is gout?"
FROM python:3.12-slim

RUN useradd --create-home --uid 10001 carecite && install -d -o carecite /data
WORKDIR /src
# torch comes first and alone: the other packages then find it and fetch no larger one. The CPU build is a tenth
# of the default one; a site with an index of its own names that.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
COPY constraints.txt ./
RUN pip install --no-cache-dir -c constraints.txt ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} torch
COPY pyproject.toml README.md ./
COPY bot bot
COPY reasoning reasoning
COPY storage storage
COPY migrations migrations
COPY config config
RUN pip install --no-cache-dir -c constraints.txt .

# Without CARECITE_CORPUS_URL and CARECITE_HISTORY_URL the embedded server keeps its data below /data.
ENV CARECITE_HOME=/data HF_HUB_OFFLINE=1 CARECITE_HEALTH_PORT=8081
VOLUME /data
USER carecite
WORKDIR /data
# For `serve` and `worker`, which run until they are told to end; SIGTERM lets a question be finished.
HEALTHCHECK --interval=30s --timeout=5s --start-period=3m --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8081/healthz', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["carecite"]
CMD ["serve"]
