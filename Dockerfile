# First stage: makes and installs the release.
# NODE_IMAGE can add a digest (docs/operating.md, "In an image").
ARG NODE_IMAGE=node:24.22.3-slim
FROM ${NODE_IMAGE} AS made
WORKDIR /sources
COPY . .
RUN npm ci --no-audit --no-fund
# Settings are built into the pages. They are mounted as a secret, so that no layer of the image contains them. A change
# of SETTINGS_HASH makes Docker build again, because Docker's cache does not notice a change of a secret.
ARG SETTINGS_HASH=
RUN : "$SETTINGS_HASH"
RUN --mount=type=secret,id=settings,target=/sources/.env npm run release -- --into /release
RUN mkdir /aeropuente \
  && tar -xzf /release/aeropuente-*.tar.gz --strip-components=1 -C /aeropuente \
  && cd /aeropuente \
  && npm ci --omit=dev --no-audit --no-fund

# Second stage: serves the release.
FROM ${NODE_IMAGE}
ENV NODE_ENV=production PATH=/aeropuente/bin:/usr/local/bin:/usr/bin:/bin PORT=4173 HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /aeropuente
COPY --from=made /aeropuente ./
RUN mkdir -m 0700 /data /backups && chown node:node /data /backups
USER node
VOLUME /data
EXPOSE 4173
HEALTHCHECK --interval=30s --timeout=10s --start-period=90s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=4", "--import", "./build/dotenv.ts", "server/main.ts"]
