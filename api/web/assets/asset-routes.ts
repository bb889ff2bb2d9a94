/** The scripts and style sheets that pages link to, at addresses that change with them. */
import type { FastifyInstance } from 'fastify';
import { chooseCoding } from '../../http-cache/encodings.ts';
import { Sendable } from '../../http-cache/cached-response.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { type BuiltFile, getBuiltFile } from './built-files.ts';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };
const FOR_GOOD = { 'cache-control': 'public, max-age=31536000, immutable' };
const FOR_NOW = { 'cache-control': 'no-store' };

/**
 * Who asks for another version has a page of before a deploy, or one of an instance that runs another version: what is here serves it better than nothing, for
 * this once.
 */
export async function assetRoutes(app: FastifyInstance, { names }: { names: readonly string[] }) {
  const files = new Map(names.map((name) => [name, prepare(getBuiltFile(name))]));
  app.get<{ Params: { file: string } }>('/assets/:file', { schema: { hide: true } }, async (request, reply) => {
    const [, stem, ending] = /^(\w+)-[0-9a-f]{16}\.(\w+)$/.exec(request.params.file) ?? [];
    const file = files.get(`${stem}.${ending}`);
    if (!file) throw new ProblemError(404, 'not_found', 'There is no such file. Load its page again.');
    const sendable = file.path === `/assets/${request.params.file}` ? file.forGood : file.forNow;
    const coding = chooseCoding(request.headers['accept-encoding']);
    const form = sendable.getForm(coding) ?? (await sendable.makeForm(coding));
    return reply.code(form.status).headers(form.head.headers).send(form.body);
  });
}

function prepare({ name, text: body, path }: BuiltFile) {
  const type = name.endsWith('.css') ? TYPES.css : TYPES.js;
  const common = { status: 200, type, body, lastModified: null, shows: [] } as const;
  return {
    path,
    forGood: new Sendable({ ...common, headers: FOR_GOOD }),
    forNow: new Sendable({ ...common, headers: FOR_NOW }),
  };
}
