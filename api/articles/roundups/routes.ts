/** Serves the weekly roundups (`/roundup`, `/roundup/2026-W47`) and their Markdown alternates. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { formatRoundupListTwin, formatRoundupTwin } from '../../../article/discovery/roundup-twin.ts';
import { findLastChange } from '../../../store/changes/last-change.ts';
import { findRoundup, listRoundups } from '../../../store/roundups/read-roundups.ts';
import type { ApiDeps } from '../../deps.ts';
import type { Answer } from '../../http-cache/respond.ts';
import type { Answers } from '../../http-cache/response-cache.ts';
import { answerWithPage } from '../../web/page-response.ts';
import { answerAbsent, type Form, makeForms, sendForm, splitForm, withRelations } from '../alternates/alternates.ts';
import { listPageLinks } from '../alternates/links.ts';
import { answerWithMarkdown } from '../alternates/markdown-alternates.ts';
import { renderRoundupListPage, renderRoundupPage } from './page.ts';

/** Two years of weeks. */
const LIST_LENGTH = 104;

export async function roundupRoutes(
  fastify: FastifyInstance,
  deps: Pick<ApiDeps, 'db' | 'config'> & { answers: Answers },
) {
  const { db, answers, config } = deps;
  const { baseUrl } = config;
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  for (const [path, isTwin] of [
    ['/roundup', false],
    ['/roundup.md', true],
  ] as const) {
    app.get(path, { schema: { hide: true } }, (request, reply) =>
      sendForm(answers, { request, reply, isTwin }, { path: '/roundup', ...makeForms(makeList) }),
    );
  }

  app.get(
    '/roundup/:week',
    { schema: { hide: true, params: Type.Object({ week: Type.String() }) } },
    (request, reply) => {
      const { name: week, isTwin } = splitForm(request.params.week, request);
      const forms = makeForms((form) => makePage(week, form));
      return sendForm(answers, { request, reply, isTwin }, { path: `/roundup/${encodeURIComponent(week)}`, ...forms });
    },
  );

  async function makeList(form: Form): Promise<Answer> {
    const roundups = await listRoundups(db, LIST_LENGTH);
    const weeks = roundups.map(({ week }) => week);
    const links = listPageLinks('/roundup', baseUrl);
    const shown = { lastModified: roundups[0]?.at ?? null, shows: ['roundups'] } as const;
    const answer =
      form === 'page'
        ? answerWithPage(renderRoundupListPage(weeks, links), shown)
        : answerWithMarkdown(formatRoundupListTwin(weeks, baseUrl), links, shown);
    return withRelations(answer, links, config.contentSignal);
  }

  async function makePage(week: string, form: Form): Promise<Answer> {
    const lastModified = await findLastChange(db);
    const entries = await findRoundup(db, week);
    if (!entries) return answerAbsent(form);
    const links = listPageLinks(`/roundup/${week}`, baseUrl);
    const shown = { lastModified, shows: ['roundups', 'articles'] } as const;
    const answer =
      form === 'page'
        ? answerWithPage(renderRoundupPage(week, entries, links), shown)
        : answerWithMarkdown(formatRoundupTwin(week, entries, baseUrl), links, shown);
    return withRelations(answer, links, config.contentSignal);
  }
}
