/** The scripts and style sheets that pages link to, at addresses that change with them. */
import type { FastifyInstance } from 'fastify';
import { chooseCoding } from '../answers/codings.ts';
import { Sendable } from '../answers/sendable.ts';
import { ProblemError } from '../errors/problem.ts';
import { type BuiltFile, getBuiltFile } from './built-files.ts';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };
const FOR_GOOD = { 'cache-control': 'public, max-age=31536000, immutable' };

export async function assetRoutes(app: FastifyInstance, { names }: { names: readonly string[] }) {
  const files = new Map(names.map(getBuiltFile).map((file) => [file.path, toSendable(file)]));
  app.get<{ Params: { file: string } }>('/assets/:file', { schema: { hide: true } }, async (request, reply) => {
    const file = files.get(`/assets/${request.params.file}`);
    if (!file) throw new ProblemError(404, 'not_found', 'There is no such file. Load its page again.');
    const coding = chooseCoding(request.headers['accept-encoding']);
    const form = file.getForm(coding) ?? (await file.makeForm(coding));
    return reply.code(form.status).headers(form.head.headers).send(form.body);
  });
}

function toSendable({ name, text: body }: BuiltFile): Sendable {
  const type = name.endsWith('.css') ? TYPES.css : TYPES.js;
  return new Sendable({ status: 200, type, body, headers: FOR_GOOD, lastModified: null, shows: [] });
}
