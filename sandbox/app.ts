/** The stand-ins of all destinations in one server: a table of contents. */
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyError } from 'fastify';
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
import { registerForem } from './forem/routes.ts';
import { registerGhost } from './ghost/routes.ts';
import { registerHashnode } from './hashnode/routes.ts';
import { registerLinkedin } from './linkedin/routes.ts';
import { registerMedium } from './medium/routes.ts';
import { registerPages } from './pages.ts';
import { openState } from './state.ts';
import { registerWordPress } from './wordpress/routes.ts';

export const DEMO_FOREM_KEY = 'sandbox-forem-key';
export const DEMO_HASHNODE_TOKEN = 'sandbox-hashnode-token';
export const DEMO_HASHNODE_PUBLICATION = '665f1f77bcf86cd799439011';
export const FREE_HASHNODE_TOKEN = 'sandbox-hashnode-free-token';
export const FREE_HASHNODE_PUBLICATION = '665f1f77bcf86cd799439012';
export const DEMO_MEDIUM_TOKEN = 'sandbox-medium-token';
export const DEMO_MEDIUM_USER = '5303d74c64f66366f00cb9b2a94f3251bf5';
export const DEMO_LINKEDIN_TOKEN = 'sandbox-linkedin-token';
export const DEMO_LINKEDIN_PERSON = 'demo-Person_1';
export const DEMO_LINKEDIN_ORGANIZATION = '2414183';
/** The site is at `/wordpress`. */
export const DEMO_WORDPRESS = { username: 'demo', applicationPassword: 'sandbox app pass word' };
/** May write posts, but not publish them. */
export const CONTRIBUTOR_WORDPRESS = { username: 'contributor', applicationPassword: 'sandbox contributor word' };
export const DEMO_GHOST_KEY =
  '665f1f77bcf86cd799439021:73616e64626f782d67686f73742d7365637265742d666f722d7468652d64656d';

export interface SandboxOptions {
  /** File of JSON lines in which posts and log survive a restart; without it they do not. */
  statePath?: string | undefined;
  /** The product's own address, whose canonical URLs are accepted although they are local. */
  baseUrl?: string | undefined;
  /** Enforce the platforms' rate limits. Default true. */
  rateLimits?: boolean;
  now?: () => Date;
  /** The address that people use, if it differs from the one listened on. */
  publicUrl?: string | undefined;
  foremAccounts?: Record<string, ForemAccount>;
  hashnodeAccounts?: Record<string, HashnodeAccount>;
  ghostKeys?: Record<string, string>;
  /** How stale Hashnode's answers to queries may be. Default 0; the real one caches for about 25 s. */
  hashnodeReadLagMs?: number;
  mediumAccounts?: Record<string, MediumAccount>;
  linkedinAccounts?: Record<string, LinkedinAccount>;
  /** How long LinkedIn treats a post as a duplicate of a deleted one. Default 0; the real one may do so for two days. */
  linkedinGhostMs?: number;
  wordpressAccounts?: Record<string, WordPressAccount>;
}

export interface Sandbox {
  /** Starts to listen (port 0 or none: any free port) and returns the address, without a trailing slash. */
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
    mediumAccounts: options.mediumAccounts ?? {
      [DEMO_MEDIUM_TOKEN]: { id: DEMO_MEDIUM_USER, username: 'demo', name: 'Demo Author' },
    },
    linkedinAccounts: options.linkedinAccounts ?? {
      [DEMO_LINKEDIN_TOKEN]: {
        id: DEMO_LINKEDIN_PERSON,
        name: 'Demo Author',
        organizationIds: [DEMO_LINKEDIN_ORGANIZATION],
      },
    },
    linkedinGhostMs: options.linkedinGhostMs ?? 0,
    wordpressAccounts: options.wordpressAccounts ?? {
      [DEMO_WORDPRESS.username]: { ...DEMO_WORDPRESS, id: 1, name: 'Demo Author', role: 'author' },
      [CONTRIBUTOR_WORDPRESS.username]: { ...CONTRIBUTOR_WORDPRESS, id: 2, name: 'Contributor', role: 'contributor' },
    },
  };

  const app = Fastify({
    bodyLimit: 2 * 1024 * 1024,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
  });
  // All platforms share Forem's shape for malformed JSON, a body that is too large, and our own errors.
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
