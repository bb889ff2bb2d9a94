/**
 * Starts a complete API in this process with its own port and database, and an author with a token.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientInterceptors } from '@temporalio/client';
import type { FastifyInstance } from 'fastify';
import { type DestinationStream, pino } from 'pino';
import { API_LOG, BACKLOG, buildApp } from '../../../api/app/app.ts';
import type { AccountDeps } from '../../../api/auth/account-deps.ts';
import { loadKeyRing } from '../../../api/auth/keys/key-ring.ts';
import { type Audience, createSessions } from '../../../api/auth/sessions.ts';
import { createDerivingPool } from '../../../api/background/deriver.ts';
import { readApiConfig } from '../../../api/config.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { createDocumentPool, type DocumentPool, type DocumentPoolOptions } from '../../../api/documents/pool.ts';

import type { Notice } from '../../../article/types.ts';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { openImageStore } from '../../../store/images/files/file-images.ts';
import { loadLinkKey } from '../../../store/mail-links/links.ts';
import { loadUnsubscribeKey } from '../../../store/mail-links/unsubscribe-token.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { openSession } from '../../../store/sessions/open-session.ts';
import { loadRefreshKey } from '../../../store/sessions/refresh-token.ts';
import { createDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { createLazyClient } from '../../../temporal/connection.ts';
import { createTestDatabase, readTemporalAddress } from '../environment.ts';
import { CHEAP } from './passwords.ts';

export interface TestAuthor {
  id: string;
  username: string;
  tokenId: string;
  token: string;
}

export interface TestApi {
  url: string;
  /** The address of the API in links and cookies. */
  baseUrl: string;
  db: Database;
  databaseUrl: string;
  app: FastifyInstance;
  /** Opens a session of this user, and returns a token for it. */
  sessions: { issue(audience: Audience, userId: string): Promise<string> };
  /** For direct calls of account use cases. The worker of the same test needs its `linkKey`. */
  accounts: AccountDeps;
  /** Used only by this API. Pass it to the worker of the same test. */
  taskQueue: string;
  home: string;
  author: TestAuthor;
  createAuthor(username: string): Promise<TestAuthor>;
  /** POSTs to the publish endpoint as `author` or with another token. */
  publish(body: unknown, options?: PublishOptions): Promise<PublishAnswer>;
  close(): Promise<void>;
}

export interface PublishOptions {
  token?: string;
  headers?: Record<string, string>;
}

export interface PublishAnswer {
  status: number;
  headers: Headers;
  body: {
    success: boolean;
    action?: string;
    data?: { id: string; slug: string; status: string; url: string; scheduledAt?: string };
    warnings?: Notice[];
    code?: string;
    detail?: string;
    errors?: { path: string; message: string; line?: number; column?: number }[];
    requestId?: string;
  };
}

export interface TestApiOptions {
  /** The environment of this API. The publish rate is raised by default. */
  env?: Record<string, string>;
  now?: () => Date;
  documents?: DocumentPoolOptions;
  /** The address of Temporal; an address without a listener makes it unavailable. */
  temporal?: string;
  /** An existing database, for a second instance on it. */
  databaseUrl?: string;
  home?: string;
  /** The port of a closed instance that this one replaces; by default a free port. */
  port?: number;
  /** The metrics, tracing and log that a process would set up. */
  observed?: Pick<ApiDeps, 'metrics' | 'tracing'> & { interceptors?: ClientInterceptors; log?: DestinationStream };
}

export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: async () => undefined }
    : await createTestDatabase();
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'courant-test-')));
  const taskQueue = `test-${process.pid}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
  const port = options.port ?? (await findFreePort());
  const config = readApiConfig({
    DATABASE_URL: database.url,
    COURANT_HOME: home,
    PORT: String(port),
    BASE_URL: `http://localhost:${port}`,
    // Disabled, because a slow test machine is not an overload.
    MAX_EVENT_LOOP_DELAY_MS: '0',
    MAX_DATABASE_WAIT_MS: '0',
    PUBLISH_RATE_PER_MINUTE: '100000',
    GRAPHQL_RATE_PER_MINUTE: '100000',
    TEMPORAL_TASK_QUEUE: taskQueue,
    ...options.env,
  });
  const now = options.now ?? (() => new Date());
  const { metrics, tracing, interceptors = {}, log: lines } = options.observed ?? {};
  const log = lines ? pino(API_LOG, lines) : pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const db = openDatabase(database.url, { maxConnections: 20 });
  const keyRing = await loadKeyRing({ home, key: undefined });
  const sessions = createSessions(keyRing, { issuer: config.baseUrl, now });
  const sealer = await loadSealer({ home, key: undefined });
  const unsubscribeKey = await loadUnsubscribeKey({ home, key: undefined });
  const linkKey = await loadLinkKey({ home, key: undefined });
  const refreshKey = await loadRefreshKey({ home, key: undefined });
  const documents = options.documents ? createDocumentPool(options.documents) : shareDocumentPool();
  const images = openImageStore(config);
  const connectionOptions = { address: options.temporal ?? readTemporalAddress() };
  const temporal = createLazyClient({ connectionOptions, namespace: 'default' }, interceptors);
  const workflowTarget = { client: temporal.client, taskQueue: config.taskQueue };
  const app = await buildApp({
    ...{
      config,
      db,
      workflowTarget,
      documents,
      derivingDocuments: takeDerivingPool(),
      sealer,
      unsubscribeKey,
      sessions,
      keyRing,
      linkKey,
      refreshKey,
      hashCost: CHEAP,
      log,
      now,
      images,
      metrics,
      tracing,
    },
  });
  await app.listen({ host: '127.0.0.1', port, backlog: BACKLOG });

  const createAuthor = async (username: string): Promise<TestAuthor> => {
    const at = new Date();
    const { id } = await createUser(db, {
      username,
      name: `Author ${username}`,
      email: `${username}@example.org`,
      passwordHash: 'no password opens this',
      now: at,
    });
    const { id: tokenId, token } = await createDeveloperToken(db, { userId: id, name: 'test', now: at });
    return { id, username, tokenId, token };
  };
  const author = await createAuthor(`author-${Math.random().toString(36).slice(2, 10)}`);
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    baseUrl: config.baseUrl,
    db,
    databaseUrl: database.url,
    app,
    sessions: {
      async issue(audience, userId) {
        const { sessionId } = await openSession(db, { userId, userAgent: null, now: now() });
        return (await sessions.issue(audience, { userId, sessionId })).token;
      },
    },
    accounts: { db, sessions, linkKey, refreshKey, hashCost: CHEAP, now, onOutboxWrite: () => undefined },
    taskQueue: config.taskQueue,
    home,
    author,
    createAuthor,
    publish: (body, publishOptions = {}) =>
      postArticle(url, publishOptions.token ?? author.token, body, publishOptions.headers),
    async close() {
      await app.close();
      if (options.documents) await documents.close();
      await db.destroy();
      await temporal.close();
      await database.drop();
      if (!options.home) await rm(home, { recursive: true, force: true });
    },
  };
}

let sharedPool: DocumentPool | undefined;

/**
 * Starting a thread takes half a second of processor time, so the APIs of a process share threads
 * until its end.
 */
export function shareDocumentPool(): DocumentPool {
  sharedPool ??= createDocumentPool({ maxThreads: 1 });
  return sharedPool;
}

const idleDerivingPools: DocumentPool[] = [];

/** The next API of this process reuses the thread, unless it is busy when this one closes. */
function takeDerivingPool(): DocumentPool {
  const pool = idleDerivingPools.pop() ?? createDerivingPool();
  const close = async () => {
    if (pool.load().running > 0) await pool.close();
    else idleDerivingPools.push(pool);
  };
  return { ...pool, close };
}

/** Sends strings and bytes unchanged, and anything else as JSON. */
export async function postArticle(
  url: string,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<PublishAnswer> {
  const response = await fetch(`${url}/api/v1/articles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as PublishAnswer['body'] };
}

/** Builds a document with this frontmatter. */
export function markdown(
  frontmatter: Record<string, unknown>,
  body = 'A first paragraph.\n\n## A heading\n\nMore.\n',
): string {
  const lines = Object.entries(frontmatter).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${body}`;
}
