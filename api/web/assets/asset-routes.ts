/**
 * Serves the scripts and style sheets of pages, at addresses that contain a hash of the content.
 */
import type { FastifyInstance } from 'fastify';
import { CachedResponse } from '../../http-cache/cached-response.ts';
import { chooseCoding } from '../../http-cache/encodings.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { type BuiltFile, getBuiltFile } from './built-files.ts';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };
const IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable' };
const NO_STORE = { 'cache-control': 'no-store' };

/**
 * An outdated hash gets the current file with no-store: the page may be older than the last deploy,
 * or from an instance of another version.
 */
export async function assetRoutes(app: FastifyInstance, { names }: { names: readonly string[] }) {
  const files = new Map(names.map((name) => [name, prepare(getBuiltFile(name))]));
  app.get<{ Params: { file: string } }>('/assets/:file', { schema: { hide: true } }, async (request, reply) => {
    const [, stem, ending] = /^(\w+)-[0-9a-f]{16}\.(\w+)$/.exec(request.params.file) ?? [];
    const file = files.get(`${stem}.${ending}`);
    if (!file) throw new ProblemError(404, 'not_found', 'No such file. Reload the page that uses it.');
    const cached = file.path === `/assets/${request.params.file}` ? file.immutable : file.uncached;
    const coding = chooseCoding(request.headers['accept-encoding']);
    const encoded = cached.getEncoded(coding) ?? (await cached.encodeBody(coding));
    return reply.code(encoded.status).headers(encoded.head.headers).send(encoded.body);
  });
}

function prepare({ name, text: body, path }: BuiltFile) {
  const type = name.endsWith('.css') ? TYPES.css : TYPES.js;
  const common = { status: 200, type, body, lastModified: null, cacheTags: [] } as const;
  return {
    path,
    immutable: new CachedResponse({ ...common, headers: IMMUTABLE }),
    uncached: new CachedResponse({ ...common, headers: NO_STORE }),
  };
}
