/** The stand-ins of all destinations in one server: a table of contents. */
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyError } from 'fastify';
import type { ForemAccount, HashnodeAccount, SandboxContext } from './context.ts';
import { registerControl } from './control.ts';
import { FaultBoard } from './faults.ts';
import { registerForem } from './forem/routes.ts';
import { registerGhost } from './ghost/routes.ts';
import { registerHashnode } from './hashnode/routes.ts';
import { registerPages } from './pages.ts';
import { openState } from './state.ts';

export const DEMO_FOREM_KEY = 'sandbox-forem-key';
export const DEMO_HASHNODE_TOKEN = 'sandbox-hashnode-token';
export const DEMO_HASHNODE_PUBLICATION = '665f1f77bcf86cd799439011';
export const FREE_HASHNODE_TOKEN = 'sandbox-hashnode-free-token';
export const FREE_HASHNODE_PUBLICATION = '665f1f77bcf86cd799439012';
export const DEMO_GHOST_KEY =
  '665f1f77bcf86cd799439021:73616e64626f782d67686f73742d7365637265742d666f722d7468652d64656d';

export interface SandboxOptions {
  /** File of JSON lines in which posts and log outlive a restart; absent: they do not. */
  statePath?: string | undefined;
  /** The product's own address, whose canonical URLs are accepted although they are local. */
  baseUrl?: string | undefined;
  /** Behave as the platforms' rate limits demand. Default true. */
  rateLimits?: boolean;
  now?: () => Date;
  /** Address people use, where it is not the one listened on. */
  publicUrl?: string | undefined;
  foremAccounts?: Record<string, ForemAccount>;
  hashnodeAccounts?: Record<string, HashnodeAccount>;
  ghostKeys?: Record<string, string>;
  /** How stale Hashnode's answers to queries may be. Default 0; the real one caches for about 25 s. */
  hashnodeReadLagMs?: number;
}

export interface Sandbox {
  /** Starts to listen (port 0 or none: any free port) and says where, without a trailing slash. */
  listen(port?: number, host?: string): Promise<{ url: string }>;
  close(): Promise<void>;
}

export async function buildSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const state = openState(options.statePath);
  const stop = new AbortController();
  let siteUrl = options.publicUrl ?? '';
  const context: SandboxContext = {
    state,
    faults: new FaultBoard(),
    now: options.now ?? (() => new Date()),
    siteUrl: () => siteUrl,
    stopping: stop.signal,
    baseUrl: options.baseUrl,
    rateLimits: options.rateLimits ?? true,
    foremAccounts: options.foremAccounts ?? { [DEMO_FOREM_KEY]: { username: 'demo', name: 'Demo Author' } },
    hashnodeAccounts: options.hashnodeAccounts ?? {
      [DEMO_HASHNODE_TOKEN]: {
        username: 'demo',
        name: 'Demo Author',
        publicationId: DEMO_HASHNODE_PUBLICATION,
        isPro: true,
      },
      [FREE_HASHNODE_TOKEN]: {
        username: 'free',
        name: 'Free Author',
        publicationId: FREE_HASHNODE_PUBLICATION,
        isPro: false,
      },
    },
    ghostKeys: options.ghostKeys ?? Object.fromEntries([DEMO_GHOST_KEY.split(':')]),
    hashnodeReadLagMs: options.hashnodeReadLagMs ?? 0,
  };

  const app = Fastify({
    bodyLimit: 2 * 1024 * 1024,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
  });
  // The shape of Forem's errors suits everybody here: malformed JSON, a body that is too large, a fault of our own.
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error.statusCode ?? 500;
    return reply.code(status).send({ error: error.message, status });
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not found', status: 404 }));
  registerControl(app, context);
  registerForem(app, context);
  registerHashnode(app, context);
  registerGhost(app, context);
  registerPages(app, context);
  await app.ready();

  return {
    async listen(port = 0, host = '127.0.0.1') {
      await app.listen({ port, host });
      const { port: actual } = app.server.address() as AddressInfo;
      siteUrl = options.publicUrl ?? `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${actual}`;
      return { url: siteUrl };
    },
    async close() {
      stop.abort();
      await app.close();
      state.close();
    },
  };
}
