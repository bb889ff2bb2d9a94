/** Builds the server that simulates all destinations. */
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyError } from 'fastify';
import {
  FOREM_ACCOUNTS,
  GHOST_SITES,
  HASHNODE_ACCOUNTS,
  LINKEDIN_ACCOUNTS,
  MEDIUM_ACCOUNTS,
  WORDPRESS_SITES,
} from './accounts.ts';
import type {
  ForemAccount,
  HashnodeAccount,
  LinkedinAccount,
  MediumAccount,
  SandboxContext,
  WordPressAccount,
} from './context.ts';
import { registerControl } from './control.ts';
import { FaultBoard } from './faults.ts';
import { registerFeeds } from './feeds.ts';
import { registerForem } from './forem/routes.ts';
import { registerGhost } from './ghost/routes.ts';
import { registerHashnode } from './hashnode/routes.ts';
import { registerLinkedin } from './linkedin/routes.ts';
import { registerMedium } from './medium/routes.ts';
import { registerPages } from './pages.ts';
import { addManualPosts } from './posts/manual-posts.ts';
import { openState } from './state.ts';
import { registerWordPress } from './wordpress/routes.ts';

export * from './accounts.ts';

export interface SandboxOptions {
  /** File of JSON lines that preserves posts and log across restarts. Without it they are lost. */
  statePath?: string | undefined;
  /** The product's own address. Its canonical URLs are accepted although they are local. */
  baseUrl?: string | undefined;
  /** Enforce the platforms' rate limits. Default true. */
  rateLimits?: boolean;
  now?: () => Date;
  /** The address in links, if it differs from the listening address. */
  publicUrl?: string | undefined;
  foremAccounts?: Record<string, ForemAccount>;
  hashnodeAccounts?: Record<string, HashnodeAccount>;
  /** Maximum age of Hashnode's query responses. Default: 0; the real one caches for about 25 s. */
  hashnodeReadLagMs?: number;
  mediumAccounts?: Record<string, MediumAccount>;
  linkedinAccounts?: Record<string, LinkedinAccount>;
  /**
   * How long LinkedIn treats a post as a duplicate of a deleted one. Default: 0; the real one may
   * do so for two days.
   */
  linkedinDeletedDuplicateMs?: number;
  /** By site name, then by user name. */
  wordpressSites?: Record<string, Record<string, WordPressAccount>>;
}

export interface Sandbox {
  /**
   * Starts to listen (port 0 or none: any free port) and returns the address, without a trailing
   * slash.
   */
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
    foremAccounts: options.foremAccounts ?? FOREM_ACCOUNTS,
    hashnodeAccounts: options.hashnodeAccounts ?? HASHNODE_ACCOUNTS,
    hashnodeReadLagMs: options.hashnodeReadLagMs ?? 0,
    mediumAccounts: options.mediumAccounts ?? MEDIUM_ACCOUNTS,
    linkedinAccounts: options.linkedinAccounts ?? LINKEDIN_ACCOUNTS,
    linkedinDeletedDuplicateMs: options.linkedinDeletedDuplicateMs ?? 0,
    wordpressSites: Object.entries({ ...WORDPRESS_SITES, ...options.wordpressSites }).map(([name, accounts]) => ({
      name,
      url: () => `${siteUrl}/${name}`,
      accounts,
    })),
    ghostSites: Object.entries(GHOST_SITES).map(([name, site]) => ({ name, url: () => `${siteUrl}/${name}`, ...site })),
  };
  addManualPosts(context);

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
  registerControl(app, context);
  registerForem(app, context);
  registerHashnode(app, context);
  registerMedium(app, context);
  registerLinkedin(app, context);
  registerWordPress(app, context);
  registerGhost(app, context);
  registerFeeds(app, context);
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
