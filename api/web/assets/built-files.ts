/**
 * Reads the scripts and style sheets of `browser/`, bundled by `npm run build:browser`, once each, and
 * serves them at addresses that contain a hash of the content.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { CachedResponse } from '../../http-cache/cached-response.ts';
import { chooseCoding } from '../../http-cache/encodings.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';

export interface BuiltFile {
  name: string;
  text: string;
  /** Contains a hash of the text, so that caches may store the file forever. */
  path: string;
}

const FOLDER = new URL('../../../browser/dist/', import.meta.url);
const cache = new Map<string, BuiltFile>();

export function getBuiltFile(name: string): BuiltFile {
  const found = cache.get(name) ?? readBuiltFile(name);
  cache.set(name, found);
  return found;
}

function readBuiltFile(name: string): BuiltFile {
  const text = read(name);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const [stem, ending] = name.split('.');
  return { name, text, path: `/assets/${stem}-${hash}.${ending}` };
}

function read(name: string): string {
  try {
    // A final line break would become part of an inline element.
    return readFileSync(new URL(name, FOLDER), 'utf8').trimEnd();
  } catch (error) {
    throw new Error(`browser/dist/${name} is missing. Run npm run build:browser.`, { cause: error });
  }
}

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };
const IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable' };
const NO_STORE = { 'cache-control': 'no-store' };

const NAMES = ['site.js', 'desk.css', 'desk.js', 'write.css', 'write.js'];

/**
 * An outdated hash gets the current file with no-store: the page may be older than the last deploy,
 * or from an instance of another version.
 */
export async function assetRoutes(app: FastifyInstance) {
  const files = new Map(NAMES.map((name) => [name, prepare(getBuiltFile(name))]));
  app.get<{ Params: { file: string } }>('/assets/:file', async (request, reply) => {
    const [, stem, ending] = /^(\w+)-[0-9a-f]{16}\.(\w+)$/.exec(request.params.file) ?? [];
    const file = files.get(`${stem}.${ending}`);
    if (!file) throw new ProblemError(404, 'not_found', 'No such file. Reload the page that uses it.');
    const cached = file.path === `/assets/${request.params.file}` ? file.immutable : file.uncached;
    const coding = chooseCoding(request.headers['accept-encoding']);
    const encoded = cached.getEncoded(coding) ?? (await cached.encodeBody(coding));
    return reply.code(encoded.status).headers(encoded.headers).send(encoded.body);
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
