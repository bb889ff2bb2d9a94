/** Builds the API: its plugins, background jobs and routes. The server and the tests use it. */
import fastifyCookie from '@fastify/cookie';
import { type FastifyInstance, fastify, LogController } from 'fastify';
import type { LoggerOptions } from 'pino';
import type { PublishResult } from '../../store/articles/publish/publish.ts';
import { countConnections } from '../../store/db/database.ts';
import { turnOffDigest } from '../../store/digests/settings.ts';
import { exportRoutes } from '../accounts/export/routes.ts';
import { accountLinkRoutes } from '../accounts/links/routes.ts';
import { signInRoutes } from '../accounts/sign-in/routes.ts';
import { cardRoutes } from '../articles/cards/routes.ts';
import { imageRoutes } from '../articles/images.ts';
import { archiveRoutes } from '../articles/listing/archive.ts';
import { listPageRoutes } from '../articles/listing/page-routes.ts';
import { articleListRoutes } from '../articles/listing/routes.ts';
import { searchRoutes } from '../articles/listing/search.ts';
import { createSearchLimit } from '../articles/listing/search-limit.ts';
import { articlePageRoutes } from '../articles/page/routes.ts';
import { roundupRoutes } from '../articles/roundups/routes.ts';
import { confirmedAddressPlugin } from '../auth/confirmed-address.ts';
import { keySetRoutes } from '../auth/keys/key-ring.ts';
import { startDeriver } from '../background/deriver.ts';
import { startDispatcher } from '../background/dispatcher.ts';
import { startSweeper } from '../background/sweeper.ts';
import type { ApiDeps } from '../deps.ts';
import { aboutRoutes } from '../discovery/about.ts';
import { agentDocumentRoutes } from '../discovery/agent-documents.ts';
import { catalogueRoutes } from '../discovery/catalogues.ts';
import { changeRoutes } from '../discovery/changes.ts';
import { feedRoutes } from '../discovery/feeds.ts';
import { mcpRoutes } from '../discovery/mcp/routes.ts';
import { sitemapRoutes } from '../discovery/sitemap.ts';
import { wellKnownRoutes } from '../discovery/well-known.ts';
import { createPublishQueue } from '../documents/publish-queue.ts';
import { registerGraphql } from '../graphql/register.ts';
import { createCacheFastPath } from '../http-cache/fast-path.ts';
import { ownWritesPlugin } from '../http-cache/own-writes.ts';
import { createPublicResponder } from '../http-cache/public-responder.ts';
import { createResponseCache } from '../http-cache/response-cache.ts';
import { unsubscribeRoutes } from '../notifications/digest/unsubscribe-routes.ts';
import { mailRoutes } from '../notifications/mails/routes.ts';
import { createEventHub, createHubAudience } from '../notifications/stream/event-hub.ts';
import { startNotificationListener } from '../notifications/stream/notification-listener.ts';
import { deskStreamRoute, notificationRoutes } from '../notifications/stream/routes.ts';
import { allowedMethodsPlugin } from '../plugins/allowed-methods.ts';
import { sendClientError, sendFrameworkError } from '../plugins/errors/framework-errors.ts';
import { jsonBodyPlugin } from '../plugins/json-body.ts';
import { openApiPlugin } from '../plugins/open-api.ts';
import { overloadPlugin } from '../plugins/overload.ts';
import { registerRoutes } from '../plugins/register-routes.ts';
import { chooseRequestId, responseHeadersPlugin } from '../plugins/response-headers.ts';
import { healthRoutes } from '../plugins/telemetry/health.ts';
import { commandLineRoutes } from '../publishing/command-line.ts';
import { articleRoutes } from '../publishing/routes.ts';
import { newsletterRoutes } from '../readers/newsletter/routes.ts';
import { startPageViewRecorder } from '../readers/page-views/recorder.ts';
import { pageViewRoutes } from '../readers/page-views/routes.ts';
import { registerReaderForms } from '../readers/register.ts';
import { assetRoutes } from '../web/assets/built-files.ts';
import { errorPlugin } from '../web/error-handler.ts';
import { registerDesk } from './desk.ts';
import { schema } from './graphql-schema.ts';
import { SCHEMA_COMPILERS } from './schema-compilers.ts';

/** Default for routes without their own limit, and for unknown paths. */
const MAX_BODY_BYTES = 64 * 1024;
const TIMEOUTS = { requestTimeout: 30_000, keepAliveTimeout: 10_000 };

/**
 * Connections that wait to be accepted. The event loop accepts one per iteration, so many wait
 * under load. The kernel drops further ones; their clients retry after 1 s, then with growing
 * delays. The kernel limits this value to `net.core.somaxconn` (usually 4,096).
 */
export const BACKLOG = 4_096;

/** Logger options: one JSON line per event. */
export const API_LOG = {
  name: 'api',
  // URLs hold stream tokens and headers hold bearer tokens: neither is logged.
  serializers: { req: ({ method, url }: { method: string; url: string }) => ({ method, path: url.split('?')[0] }) },
} satisfies LoggerOptions;

export async function buildApp(deps: ApiDeps): Promise<FastifyInstance> {
  const { config, db } = deps;
  const responseCache = createResponseCache({ maxBytes: config.readerCacheBytes });
  const cacheFastPath = createCacheFastPath(responseCache, TIMEOUTS);
  const app: FastifyInstance = fastify({
    loggerInstance: deps.log,
    // Logs only failures: a log line per request costs more than the request.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: chooseRequestId,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: config.trustProxy,
    // A slug has at most 80 characters of up to four bytes, which are twelve characters
    // percent-encoded.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1_000 },
    // Closes connections that send headers or bodies slowly. The request of an open event stream is
    // already complete, so no timeout applies to it.
    http: { headersTimeout: 15_000, requestTimeout: TIMEOUTS.requestTimeout, connectionsCheckingInterval: 5_000 },
    ...TIMEOUTS,
    serverFactory: cacheFastPath.serverFactory,
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: sendClientError,
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: SCHEMA_COMPILERS },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true, allowUnionTypes: true } },
  });

  await app.register(fastifyCookie);
  for (const name of ['tokenOwner', 'session', 'viewer']) app.decorateRequest(name, null);
  deps.tracing?.observe(app);
  await app.register(responseHeadersPlugin);
  await app.register(allowedMethodsPlugin);
  await app.register(errorPlugin);
  await app.register(confirmedAddressPlugin);
  const measureWaitMs = () => countConnections(db).longestWaitMs;
  await app.register(overloadPlugin, { limits: config.overload, measureWaitMs });
  await app.register(jsonBodyPlugin);
  await app.register(openApiPlugin, { baseUrl: config.baseUrl });

  const dispatcher = startDispatcher({ db, actors: deps.workflowTarget, tracing: deps.tracing, log: app.log });
  const deriver = startDeriver({ db, documents: deps.derivingDocuments, log: app.log, baseUrl: config.baseUrl });
  const hub = createEventHub({ db, log: app.log, limits: config.streams, now: deps.now });
  const audiences = [createHubAudience(hub), responseCache.audience];
  const listener = startNotificationListener({ databaseUrl: config.databaseDirectUrl, audiences, log: app.log });
  await app.register(ownWritesPlugin, { cache: responseCache, listener });
  const sweeper = startSweeper({ db, images: deps.images, log: app.log, now: deps.now });
  const recorder = startPageViewRecorder({ db, log: app.log, now: deps.now });
  const publishQueue = createPublishQueue();
  const { documents } = deps;
  deps.metrics?.observe(app, { db, cacheFastPath, responseCache, hub, listener, publishQueue, documents });
  app.addHook('preClose', async () => {
    cacheFastPath.close();
    hub.close();
  });
  app.addHook('onClose', async () => {
    await Promise.all([dispatcher.stop(), deriver.stop(), listener.stop(), sweeper.stop(), recorder.stop()]);
  });

  const shared = {
    ...deps,
    ...{ baseUrl: config.baseUrl, hub, recorder, publishQueue, schema },
    responder: createPublicResponder(responseCache),
    limitSearches: await createSearchLimit(app),
    onOutboxWrite: () => dispatcher.nudge(),
    onPublished({ signalsWorkflow, article }: Pick<PublishResult, 'signalsWorkflow' | 'article'>) {
      if (signalsWorkflow) dispatcher.nudge();
      deriver.nudge(article.id);
    },
    turnOffDigest: (userId: string) => turnOffDigest(db, userId, deps.now()),
  };
  await registerRoutes(app, shared, [
    ...[articleRoutes, articleListRoutes, articlePageRoutes, listPageRoutes, archiveRoutes, searchRoutes],
    ...[roundupRoutes, cardRoutes, imageRoutes, assetRoutes, commandLineRoutes, healthRoutes, keySetRoutes],
    ...[mcpRoutes, registerGraphql],
    ...[aboutRoutes, agentDocumentRoutes, catalogueRoutes, wellKnownRoutes, changeRoutes, feedRoutes, sitemapRoutes],
    ...[notificationRoutes, deskStreamRoute, unsubscribeRoutes, newsletterRoutes, pageViewRoutes, registerReaderForms],
    ...[exportRoutes, accountLinkRoutes, signInRoutes, registerDesk],
  ]);
  await app.register(mailRoutes, config);
  return app;
}
