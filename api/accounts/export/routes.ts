/** Route that downloads the export of an account with a signed URL, without a session. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { findSessionStatus } from '../../../store/sessions/session-status.ts';
import { createUnauthenticatedProblem } from '../../auth/session-hook.ts';
import type { ApiDeps } from '../../deps.ts';
import { buildProblemResponse } from '../../plugins/errors/problem.ts';
import { EXPORT_PATH } from './open-export.ts';
import { createExportSender } from './send-export.ts';

export async function exportRoutes(fastify: FastifyInstance, { db, sessions, config, images, now }: ApiDeps) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  const exports = createExportSender({ db, config, images, now });
  app.addHook('onClose', () => exports.close());

  app.get(
    EXPORT_PATH,
    {
      // A HEAD request would read the whole export and send nothing.
      exposeHeadRoute: false,
      schema: {
        summary: 'Download all data of an account as a zip',
        description:
          'Requires the URL returned by the GraphQL mutation `exportEverything`, which is valid for five minutes.',
        querystring: Type.Object({ token: Type.Optional(Type.String()) }),
        response: {
          200: { description: 'The archive.', content: { 'application/zip': { schema: Type.String() } } },
          401: buildProblemResponse('The URL is incomplete or has expired.'),
          429: buildProblemResponse('Too many downloads within one hour.'),
          503: buildProblemResponse('The database is unreachable.'),
        },
      },
    },
    async (request, reply) => {
      const owner = await sessions.verify('courant:export', request.query.token ?? '');
      const sessionStatus = owner && (await findSessionStatus(db, { ...owner, now: now() }));
      // Suspended authors can still export their data.
      if (owner === null || sessionStatus?.state === 'ended') {
        throw createUnauthenticatedProblem(
          'The address of the export is incomplete or has expired. Request a new one.',
        );
      }
      return exports.send(reply, owner.userId);
    },
  );
}
