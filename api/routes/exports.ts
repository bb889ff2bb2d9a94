/** The download of everything that an account holds: a zip that is written while it is read. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { countHit } from '../../store/rate-limits/counters.ts';
import { findSessionStanding } from '../../store/sessions/standing.ts';
import { listArchivedFiles } from '../accounts/export/archive.ts';
import { createExportDocuments } from '../accounts/export/documents.ts';
import { EXPORT_PATH } from '../accounts/export/open-export.ts';
import { streamZip } from '../accounts/export/zip.ts';
import { createUnauthenticatedProblem } from '../auth/session-hook.ts';
import type { ApiDeps } from '../deps.ts';
import { buildProblemResponse, ProblemError } from '../errors/problem.ts';

/** Each reads everything that somebody wrote. */
const DOWNLOADS_PER_HOUR = 10;
const HOUR_MS = 3_600_000;

export async function exportRoutes(fastify: FastifyInstance, { db, sessions, config, images, now }: ApiDeps) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  const documents = createExportDocuments(now);
  app.addHook('onClose', () => documents.close());

  app.get(
    EXPORT_PATH,
    {
      // A HEAD request would read everything for nothing.
      exposeHeadRoute: false,
      schema: {
        summary: 'Everything of an account, as a zip',
        description: 'At the address that GraphQL’s `exportEverything` gives, which is good for five minutes.',
        querystring: Type.Object({ token: Type.Optional(Type.String()) }),
        response: {
          200: { description: 'The archive.', content: { 'application/zip': { schema: Type.String() } } },
          401: buildProblemResponse('The address is not complete, or has expired.'),
          429: buildProblemResponse('Too many downloads within an hour.'),
          503: buildProblemResponse('The database is unreachable.'),
        },
      },
    },
    async (request, reply) => {
      const owner = await sessions.verify('courant:export', request.query.token ?? '');
      const standing = owner && (await findSessionStanding(db, { ...owner, now: now() }));
      // A suspended author may still take along what is theirs.
      if (owner === null || standing?.state === 'ended') {
        throw createUnauthenticatedProblem(
          'The address of the export is not complete, or has expired. Ask for a new one.',
        );
      }
      const { userId } = owner;
      await countDownload(userId);
      const files = listArchivedFiles({ db, documents, images, baseUrl: config.baseUrl }, userId, now());
      return reply
        .type('application/zip')
        .headers({
          'content-disposition': `attachment; filename="courant-${now().toISOString().slice(0, 10)}.zip"`,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
        })
        .send(streamZip(files));
    },
  );

  async function countDownload(userId: string): Promise<void> {
    const { current, ttl } = await countHit(db, `export:${userId}`, HOUR_MS);
    if (current <= DOWNLOADS_PER_HOUR) return;
    const headers = { 'retry-after': String(Math.ceil(ttl / 1000)) };
    const detail = `Everything was downloaded ${DOWNLOADS_PER_HOUR} times within an hour. Try again later.`;
    throw new ProblemError(429, 'too_many_exports', detail, { headers });
  }
}
