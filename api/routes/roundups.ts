/** The weekly roundups, at `/roundup` and `/roundup/2026-W47`. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { findLastChange } from '../../store/changes/last-change.ts';
import { findRoundup, listRoundups } from '../../store/roundups/read-roundups.ts';
import type { Answer } from '../answers/answer.ts';
import type { Answers } from '../answers/answers.ts';
import type { ApiDeps } from '../deps.ts';
import { answerNotFound, answerWithPage } from '../pages/page-answer.ts';
import { renderRoundupListPage, renderRoundupPage } from '../pages/roundup-page.ts';

/** Two years of weeks. */
const LIST_LENGTH = 104;

export async function roundupRoutes(fastify: FastifyInstance, deps: Pick<ApiDeps, 'db'> & { answers: Answers }) {
  const { db, answers } = deps;
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  app.get('/roundup', { schema: { hide: true } }, (request, reply) =>
    answers.send(request, reply, { key: '/roundup', make: makeList }),
  );

  app.get(
    '/roundup/:week',
    { schema: { hide: true, params: Type.Object({ week: Type.String() }) } },
    (request, reply) => {
      const { week } = request.params;
      const key = `/roundup/${encodeURIComponent(week)}`;
      return answers.send(request, reply, { key, make: () => makePage(week) });
    },
  );

  async function makeList(): Promise<Answer> {
    const roundups = await listRoundups(db, LIST_LENGTH);
    const body = renderRoundupListPage(roundups.map(({ week }) => week));
    return answerWithPage(body, { lastModified: roundups[0]?.at ?? null, shows: ['roundups'] });
  }

  async function makePage(week: string): Promise<Answer> {
    const lastModified = await findLastChange(db);
    const entries = await findRoundup(db, week);
    if (!entries) return answerNotFound();
    const body = renderRoundupPage(week, entries);
    return answerWithPage(body, { lastModified, shows: ['roundups', 'articles'] });
  }
}
