/** Loads the data of an article's page at the desk. */
import { decideContentSignal } from '../../../article/discovery/content-signal.ts';
import { listArticleNotices } from '../../../store/articles/article-notices.ts';
import { findArticleSignals, type OwnArticle } from '../../../store/articles/own-articles.ts';
import { listAttempts } from '../../../store/attempts/attempts.ts';
import { listConnections } from '../../../store/connections/list.ts';
import { listCopiesOfArticles } from '../../../store/copies/copies.ts';
import { listGridDeliveries } from '../../../store/deliveries/grid.ts';
import { listViews } from '../../../store/page-views/list-page-views.ts';
import { findOwnSeries } from '../../../store/series/list-series.ts';
import type { DeskDeps } from '../../deps.ts';
import { describeCopy } from '../describe-copy.ts';
import { buildCells, findFirstDay } from '../grid/load-grid.ts';

/** An article has few attempts. Failing every 15 minutes for a day makes about a hundred. */
export const MAX_SHOWN_ATTEMPTS = 200;

export type ArticleView = Awaited<ReturnType<typeof loadArticle>>;

export async function loadArticle(
  { db, config, now }: Pick<DeskDeps, 'db' | 'config' | 'now'>,
  { authorId, zone }: { authorId: string; zone: string | null },
  article: OwnArticle,
) {
  const scope = { authorId, articleIds: [article.id] };
  const firstDay = findFirstDay(now());
  const [connections, deliveries, attempts, notices, copies, series, signals, days] = await Promise.all([
    listConnections(db, authorId),
    listGridDeliveries(db, scope),
    listAttempts(db, { authorId, articleId: article.id, limit: MAX_SHOWN_ATTEMPTS }),
    listArticleNotices(db, [article.id]),
    listCopiesOfArticles(db, scope),
    article.seriesId === null ? undefined : findOwnSeries(db, { authorId, seriesId: article.seriesId }),
    findArticleSignals(db, { authorId, articleId: article.id }),
    listViews(db, article.id, firstDay),
  ]);
  return {
    ...{ article, attempts, notices, series },
    cells: buildCells(article, { connections, deliveries }),
    formerCopies: copies.filter(({ isFormer }) => isFormer).map(describeCopy),
    /** AI preferences that result from those of the site, the author and the article. */
    signal: decideContentSignal(config.contentSignal, signals),
    /** Omits days without page views. */
    pageViews: { firstDay, days },
    /** The author's time zone; null if unknown. */
    zone,
    /** Null if the operator has not configured it. */
    temporalUiUrl: config.temporalUiUrl ?? null,
  };
}
