/** Builds the server that simulates all destinations, with its log, posts and faults. */
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyError } from 'fastify';
import { FOREM_ACCOUNTS, HASHNODE_ACCOUNTS, LINKEDIN_ACCOUNTS, MEDIUM_ACCOUNTS, WORDPRESS_SITES } from './accounts.ts';
import type { SandboxContext, SandboxSettings } from './context.ts';
import { FaultBoard } from './faults.ts';
import { registerForem } from './forem/routes.ts';
import { registerGhost } from './ghost/routes.ts';
import { registerHashnode } from './hashnode/routes.ts';
import { registerLinkedin } from './linkedin/routes.ts';
import { registerMedium } from './medium/routes.ts';
import { registerPages } from './pages.ts';
import { openState } from './state.ts';
import { registerWordPress } from './wordpress/routes.ts';

export * from './accounts.ts';

export interface SandboxOptions extends Partial<SandboxSettings> {
  /** File of JSON lines that preserves posts and log across restarts. Without it they are lost. */
  statePath?: string | undefined;
}

export interface Sandbox {
  /** Listens (by default at any free port) and returns the address without a trailing slash. */
  listen(port?: number): Promise<{ url: string }>;
  close(): Promise<void>;
}

export async function buildSandbox({ statePath, ...options }: SandboxOptions = {}): Promise<Sandbox> {
  const now = options.now ?? (() => new Date());
  const state = openState(statePath, now);
  const faults = new FaultBoard();
  const stop = new AbortController();
  let siteUrl = '';
  const context: SandboxContext = {
    baseUrl: '',
    rateLimits: true,
    foremAccounts: FOREM_ACCOUNTS,
    hashnodeAccounts: HASHNODE_ACCOUNTS,
    hashnodeReadLagMs: 0,
    mediumAccounts: MEDIUM_ACCOUNTS,
    linkedinAccounts: LINKEDIN_ACCOUNTS,
    linkedinDeletedDuplicateMs: 0,
    ...options,
    wordpressSites: { ...WORDPRESS_SITES, ...options.wordpressSites },
    ...{ state, faults, now, siteUrl: () => siteUrl, stopping: stop.signal, sections: [] },
  };

  const app = Fastify({
    bodyLimit: 2 * 1024 * 1024,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
  });
  // Malformed JSON, too large bodies and our own errors have Forem's format for all platforms.
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error.statusCode ?? 500;
    return reply.code(status).send({ error: error.message, status });
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not found', status: 404 }));
  app.get('/log', () => state.log());
  app.get('/posts', () => state.listPosts());
  app.get('/faults', () => faults.list());
  app.put('/faults', (request, reply) => {
    const errors = faults.replace(request.body);
    return errors.length > 0 ? reply.code(400).send({ errors }) : faults.list();
  });
  registerForem(app, context);
  registerHashnode(app, context);
  registerMedium(app, context);
  registerWordPress(app, context);
  registerGhost(app, context);
  registerLinkedin(app, context);
  registerPages(app, context);
  await app.ready();

  return {
    async listen(port = 0) {
      await app.listen({ port, host: '127.0.0.1' });
      siteUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
      return { url: siteUrl };
    },
    async close() {
      stop.abort();
      await app.close();
      state.close();
    },
  };
}
