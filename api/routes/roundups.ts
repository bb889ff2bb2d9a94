/** The weekly roundups, at `/roundup` and `/roundup/2026-W47`, and their Markdown for agents. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { formatRoundupListTwin, formatRoundupTwin } from '../../article/discovery/roundup-twin.ts';
import { findLastChange } from '../../store/changes/last-change.ts';
import { findRoundup, listRoundups } from '../../store/roundups/read-roundups.ts';
import type { Answer } from '../answers/answer.ts';
import type { Answers } from '../answers/answers.ts';
import type { ApiDeps } from '../deps.ts';
import { formatLinkHeader, listPageLinks } from '../discovery/links.ts';
import { answerMissing, answerWithMarkdown, describeSignal } from '../discovery/markdown-answers.ts';
import { type Form, makeForms, sendForm, splitForm } from '../discovery/page-forms.ts';
import { answerNotFound, answerWithPage } from '../pages/page-answer.ts';
import { renderRoundupListPage, renderRoundupPage } from '../pages/roundup-page.ts';

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
    return withHeaders(
      links,
      form === 'page'
        ? answerWithPage(renderRoundupListPage(weeks, links), shown)
        : answerWithMarkdown(formatRoundupListTwin(weeks, baseUrl), links, shown),
    );
  }

  async function makePage(week: string, form: Form): Promise<Answer> {
    const lastModified = await findLastChange(db);
    const entries = await findRoundup(db, week);
    if (!entries) return form === 'page' ? answerNotFound() : answerMissing(404);
    const links = listPageLinks(`/roundup/${week}`, baseUrl);
    const shown = { lastModified, shows: ['roundups', 'articles'] } as const;
    return withHeaders(
      links,
      form === 'page'
        ? answerWithPage(renderRoundupPage(week, entries, links), shown)
        : answerWithMarkdown(formatRoundupTwin(week, entries, baseUrl), links, shown),
    );
  }

  function withHeaders(links: Parameters<typeof formatLinkHeader>[0], answer: Answer): Answer {
    const headers = { ...answer.headers, link: formatLinkHeader(links), ...describeSignal(config.contentSignal) };
    return { ...answer, headers };
  }
}
