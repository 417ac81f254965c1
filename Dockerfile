# Clew's server: REST, OpenAI-compatible and MCP on port 8420. It wants a key: CLEW_SERVER_KEY, or `clew keys new`.
FROM python:3.11-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN pip wheel --no-cache-dir --wheel-dir /wheels '.[server,mcp,postgres,endpoint,telemetry]'

FROM python:3.11-slim
# The folder of the volume belongs to whoever writes into it.
RUN useradd --create-home --uid 10001 clew && install -d -o clew -g clew /data
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels 'clew[server,mcp,postgres,endpoint,telemetry]' \
    && rm -rf /wheels
USER clew
ENV PYTHONUTF8=1 OMP_NUM_THREADS=1 XDG_DATA_HOME=/data
VOLUME /data
EXPOSE 8420
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD python -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8420/readyz', timeout=2)"
# A turn in flight is finished before the process ends.
STOPSIGNAL SIGTERM
ENTRYPOINT ["clew"]
CMD ["serve", "--host", "0.0.0.0"]
