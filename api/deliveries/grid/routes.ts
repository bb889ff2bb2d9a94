/** Serves the desk's list of articles with its grid of destinations, and bulk retries. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listOwnArticles, listOwnArticlesByIds, type OwnArticle } from '../../../store/articles/own-articles.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { listOwnTokens } from '../../../store/tokens/own-tokens.ts';
import { findSetUpFacts } from '../../../store/users/set-up-facts.ts';
import type { DeskDeps } from '../../deps.ts';
import { sendDeskPage } from '../../web/desk/send-desk-page.ts';
import { findKnownZone } from '../../web/desk/time-zone.ts';
import { readField, readFields } from '../../web/forms.ts';
import { type Html, html } from '../../web/html.ts';
import { readNextPath } from '../../web/next-path.ts';
import { redirectWithNotice } from '../../web/notice.ts';
import { getViewer } from '../../web/viewer.ts';
import { articleRoutes } from '../article/routes.ts';
import { runDeliveryCommand } from '../run-command.ts';
import type { Cell } from './describe-cell.ts';
import { renderFirstSteps, renderSetUp } from './first-steps.ts';
import { loadCells, loadGrid, PAGE_LENGTH } from './load-grid.ts';
import { LIST_ACTIONS, renderGridFrame, renderListPage } from './page.ts';
import { type GridQuery, isEmptyFilter, readFilter, readPages, writePosition } from './read-filter.ts';

async function listRoutes(app: FastifyInstance, { db, now }: DeskDeps) {
  app.get<{ Querystring: GridQuery }>('/desk', async (request, reply) => {
    const { userId: authorId, isOperator } = getViewer(request);
    const filter = readFilter(request.query);
    const scope = { authorId, now: now() };
    const grid = await loadGrid(db, scope, { filter, pages: readPages(request.query, filter) });
    const page = { title: 'Articles', current: 'articles', actions: LIST_ACTIONS } as const;
    const isUnfiltered = isEmptyFilter(filter);
    const setUp = isOperator && isUnfiltered ? renderSetUp(await findSetUpFacts(db, authorId)) : null;
    if (grid.rows.length > 0 || !isUnfiltered) {
      const list = renderListPage(grid, { back: request.url, zone: findKnownZone(request), steps: setUp });
      return sendDeskPage(request, reply, page, list);
    }
    if (setUp) return sendDeskPage(request, reply, page, renderGridFrame(setUp));
    const tokens = await listOwnTokens(db, authorId, scope.now);
    const steps = { isConnected: grid.connections.length > 0, hasToken: tokens.length > 0 };
    return sendDeskPage(request, reply, page, renderGridFrame(renderFirstSteps(steps)));
  });
}

const NEEDS_ATTENTION = { view: 'needs-attention', tag: '', seriesId: '', search: '' } as const;

async function retryRoutes(app: FastifyInstance, deps: DeskDeps) {
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
    const body = renderRetriedPage(retried, { back, next: last ? writePosition(NEEDS_ATTENTION, last) : null });
    return sendDeskPage(request, reply, { title: 'Retry', current: 'articles' }, body);
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
      done.push(label);
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

interface BulkRetryResult {
  article: Pick<OwnArticle, 'id' | 'title'>;
  /** Labels of the destinations. */
  done: string[];
  /** Deliveries that a retry does not help, with the reason. */
  notRetried: { label: string; why: string }[];
}

/** `next`: cursor of the remaining articles; null if there are none. */
function renderRetriedPage(
  retried: readonly BulkRetryResult[],
  { back, next }: { back: string; next: string | null },
): Html {
  const count = retried.reduce((sum, { done }) => sum + done.length, 0);
  return html`<p role="status">Retrying ${count === 1 ? '1 delivery' : `${count} deliveries`}.${
    next === null ? null : ' More articles may need attention: these are the first fifty.'
  }</p>
<ul class="retried">${retried.map(renderArticle)}</ul>
<div class="actions">${next === null ? null : renderNext(next, back)}<a class="button" href="${back}">Back to your articles</a></div>`;
}

function renderNext(next: string, back: string): Html {
  return html`<form method="post" action="/desk/retry"><input type="hidden" name="back" value="${back}"><input type="hidden" name="after" value="${next}"><button class="button primary" name="what" value="all">Continue with the next articles</button></form>`;
}

function renderArticle({ article, done, notRetried }: BulkRetryResult): Html {
  const isIdle = done.length + notRetried.length === 0;
  return html`<li><a href="/desk/articles/${article.id}" dir="auto">${article.title}</a>
${done.length === 0 ? null : html`<p><span class="state info">Retrying</span> ${done.join(', ')}</p>`}${notRetried.map(
  ({ label, why }) => html`<p><span class="state warn">Not retried</span> ${label}: ${why}</p>`,
)}${isIdle ? html`<p class="soft">Nothing to retry.</p>` : null}</li>`;
}

export async function articlesSection(app: FastifyInstance, deps: DeskDeps) {
  await app.register(listRoutes, deps);
  await app.register(articleRoutes, deps);
  await app.register(retryRoutes, deps);
}
