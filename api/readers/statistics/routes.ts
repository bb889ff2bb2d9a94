/** Routes of the statistics pages at the desk, for all articles or a single one. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findOwnArticle } from '../../../store/articles/own-articles.ts';
import { type DayRange, layOutRange } from '../../../store/calendar/ranges.ts';
import type { Database } from '../../../store/db/database.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { countSteps } from '../../../store/statistics/count-steps.ts';
import { listSources, type Subject } from '../../../store/statistics/list-sources.ts';
import { rankArticles } from '../../../store/statistics/rank-articles.ts';
import type { DeskDeps } from '../../deps.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { sendDeskPage } from '../../web/desk/send-desk-page.ts';
import { findZone } from '../../web/desk/time-zone.ts';
import { getViewer } from '../../web/viewer.ts';
import { renderArticleStatisticsPage, renderStatisticsPage } from './page.ts';

const PAGE_LENGTH = 25;
const MAX_SOURCES = 20;
const PAGE = { title: 'Statistics', current: 'statistics' } as const;

interface Query {
  range?: unknown;
  page?: unknown;
}

export async function statisticsSection(app: FastifyInstance, { db, now }: DeskDeps) {
  app.get<{ Querystring: Query }>('/desk/statistics', async (request, reply) => {
    const { userId: authorId } = getViewer(request);
    const page = readPage(request.query.page);
    const { zone, range } = readRange(request, now());
    const [facts, ranking] = await Promise.all([
      loadFacts(db, { authorId, articleId: null }, range),
      rankArticles(db, authorId, range, { limit: PAGE_LENGTH, offset: (page - 1) * PAGE_LENGTH }),
    ]);
    const body = renderStatisticsPage({ ...facts, range, zone, ranking }, { page, pageLength: PAGE_LENGTH });
    return sendDeskPage(request, reply, PAGE, body);
  });

  app.get<{ Querystring: Query; Params: { articleId: string } }>(
    '/desk/statistics/:articleId',
    async (request, reply) => {
      const { userId: authorId } = getViewer(request);
      const { articleId } = request.params;
      const article = isUuid(articleId) ? await findOwnArticle(db, { authorId, articleId }) : undefined;
      if (!article || article.deletedAt) {
        throw new ProblemError(404, 'not_found', 'You have no such article.');
      }
      const { zone, range } = readRange(request, now());
      const facts = await loadFacts(db, { authorId, articleId }, range);
      return sendDeskPage(request, reply, PAGE, renderArticleStatisticsPage({ ...facts, range, zone, article }));
    },
  );
}

function readRange(request: FastifyRequest<{ Querystring: Query }>, now: Date) {
  const zone = findZone(request);
  return { zone, range: layOutRange(request.query.range, { zone, now }) };
}

async function loadFacts(db: Database, subject: Subject, range: DayRange) {
  const [counts, sources] = await Promise.all([
    countSteps(db, subject, range),
    listSources(db, subject, { span: range.total, limit: MAX_SOURCES }),
  ]);
  return { counts, sources };
}

/** Counted from 1. */
function readPage(value: unknown): number {
  return typeof value === 'string' && /^[1-9]\d{0,5}$/.test(value) ? Number(value) : 1;
}
