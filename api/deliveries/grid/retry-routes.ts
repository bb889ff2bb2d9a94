/** Bulk retries: of the selected articles, or of the first articles that need attention. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listOwnArticles, listOwnArticlesByIds, type OwnArticle } from '../../../store/articles/own-articles.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import type { DeskDeps } from '../../deps.ts';
import { sendDeskPage } from '../../web/desk/send-desk-page.ts';
import { readField, readFields } from '../../web/forms.ts';
import { readNextPath } from '../../web/next-path.ts';
import { redirectWithNotice } from '../../web/notice.ts';
import { getViewer } from '../../web/viewer.ts';
import { runDeliveryCommand } from '../run-command.ts';
import type { Cell } from './cell.ts';
import { loadCells, PAGE_LENGTH } from './load-grid.ts';
import { readPages, writePosition } from './read-filter.ts';
import { type BulkRetryResult, renderRetriedPage } from './retried-page.ts';

const NEEDS_ATTENTION = { view: 'needs-attention', tag: '', seriesId: '', search: '' } as const;

export async function retryRoutes(app: FastifyInstance, deps: DeskDeps) {
  // The response shows the result without a redirect. A repeat retries only what remains.
  app.post('/desk/retry', async (request, reply) => {
    const { userId: authorId } = getViewer(request);
    const back = readNextPath(readField(request, 'back'));
    const isForAll = readField(request, 'what') === 'all';
    // Starts after the previous page, because some of its articles still need attention.
    const { after } = readPages({ after: readField(request, 'after') }, NEEDS_ATTENTION);
    const articles = isForAll
      ? await listOwnArticles(deps.db, authorId, { filter: { needsAuthor: true }, limit: PAGE_LENGTH, after })
      : await listOwnArticlesByIds(deps.db, authorId, readSelected(request));
    if (articles.length === 0) {
      const text = isForAll ? 'Nothing needs attention.' : 'Select the articles to retry first.';
      return redirectWithNotice(reply, back, { kind: isForAll ? 'done' : 'refused', text });
    }
    const cells = await loadCells(deps.db, authorId, articles);
    const retried: BulkRetryResult[] = [];
    // In sequence: each retry locks its delivery for a moment, and other requests must not wait.
    for (const article of articles) {
      retried.push({ article, ...(await retryAll(deps, { authorId, article }, cells.get(article.id) ?? [])) });
    }
    const last = isForAll && articles.length === PAGE_LENGTH ? articles.at(-1) : undefined;
    const page = { title: 'Retry', current: 'articles' } as const;
    return sendDeskPage(
      request,
      reply,
      page,
      renderRetriedPage(retried, { back, next: last ? writePosition(NEEDS_ATTENTION, last) : null }),
    );
  });
}

/** Retries the deliveries that failed or are paused, and lists the others that need attention. */
async function retryAll(
  deps: DeskDeps,
  { authorId, article }: { authorId: string; article: OwnArticle },
  cells: readonly Cell[],
): Promise<Omit<BulkRetryResult, 'article'>> {
  const done: BulkRetryResult['done'] = [];
  const notRetried: BulkRetryResult['notRetried'] = [];
  for (const cell of cells.filter(({ needsAuthor, commands }) => needsAuthor || commands.some(isRetry))) {
    const { label, destination, commands, reason } = cell;
    if (!commands.some(isRetry)) {
      notRetried.push({ label, why: reason ?? 'It needs attention.' });
      continue;
    }
    try {
      await runDeliveryCommand(deps, { authorId, articleId: article.id, destination }, 'retry');
      done.push({ label });
    } catch (error) {
      if (!(error instanceof RefusedCommandError)) throw error;
      notRetried.push({ label, why: error.message });
    }
  }
  return { done, notRetried };
}

function isRetry({ command, undoes }: Cell['commands'][number]): boolean {
  return command === 'retry' && !undoes;
}

function readSelected(request: FastifyRequest): string[] {
  return [...new Set(readFields(request, 'article').filter(isUuid))].slice(0, PAGE_LENGTH);
}
