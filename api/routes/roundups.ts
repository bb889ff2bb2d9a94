/** The weekly roundups, at `/roundup` and `/roundup/2026-W47`. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { findRoundup, listRoundups } from '../../store/roundups/read-roundups.ts';
import type { ApiDeps } from '../deps.ts';
import { renderNotFoundPage } from '../pages/not-found-page.ts';
import { renderRoundupListPage, renderRoundupPage } from '../pages/roundup-page.ts';
import { sendPage } from '../pages/send-page.ts';

/** Two years of weeks. */
const LIST_LENGTH = 104;

export async function roundupRoutes(fastify: FastifyInstance, { db }: Pick<ApiDeps, 'db'>) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  app.get('/roundup', { schema: { hide: true } }, async (_request, reply) =>
    sendPage(reply, 200, renderRoundupListPage(await listRoundups(db, LIST_LENGTH))),
  );

  app.get(
    '/roundup/:week',
    { schema: { hide: true, params: Type.Object({ week: Type.String() }) } },
    async (request, reply) => {
      const { week } = request.params;
      const entries = await findRoundup(db, week);
      if (!entries) return sendPage(reply, 404, renderNotFoundPage());
      return sendPage(reply, 200, renderRoundupPage(week, entries));
    },
  );
}
