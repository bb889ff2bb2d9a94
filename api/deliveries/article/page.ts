/** Renders an article's page at the desk. */
import { type ContentSignal, SIGNAL_USES, type SignalUse } from '../../../article/discovery/content-signal.ts';
import type { OwnArticle } from '../../../store/articles/own-articles.ts';
import { buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import { buildQueryUrl } from '../../../temporal/visibility/saved-queries.ts';
import { DAY_MS } from '../../auth/limits.ts';
import { formatQuantity } from '../../web/desk/format-count.ts';
import { formatLocal, renderTime } from '../../web/desk/times.ts';
import { type Html, html } from '../../web/html.ts';
import { renderSparkline } from '../../web/plots/plot.ts';
import type { DescribedCopy } from '../describe-copy.ts';
import type { Cell } from '../grid/describe-cell.ts';
import {
  renderButton,
  renderCellActions,
  renderCellState,
  renderCommandForm,
  renderNextAttempt,
} from '../grid/grid-cell.ts';
import { renderArticleState } from '../grid/grid-row.ts';
import { buildListPath } from '../grid/read-filter.ts';
import { describeAttempt } from './describe-attempt.ts';
import { type ArticleView, MAX_SHOWN_ATTEMPTS } from './load-article.ts';

export function renderArticleActions({ id, slug, status, deletedAt }: OwnArticle): Html | null {
  if (deletedAt !== null) return null;
  const path = `/desk/articles/${id}`;
  const view = status === 'PUBLISHED' ? html`<a class="button" href="/${encodeURIComponent(slug)}">View</a>` : null;
  return html`<div class="actions">${view}<a class="button primary" href="/desk/write?article=${id}">Edit</a><a class="button danger" href="${path}/delete">Delete</a></div>`;
}

export function renderDeskArticlePage(view: ArticleView): Html {
  const { article, attempts, notices } = view;
  const path = `/desk/articles/${article.id}`;
  return html`<p class="article-state">${renderArticleState(article, view.zone)}</p>
<div data-message aria-live="polite"></div>
${renderCommandForm(path)}
${article.deletedAt === null ? html`<section id="schedule">${renderStateCommands(article)}${renderSchedule(view)}</section>` : DELETED}
<div id="deliveries" data-title="${article.title}">
${renderDeliveries(view, path)}
${renderNotices(notices)}
${renderTimeline(attempts)}
</div>
${renderFacts(view)}`;
}

const DELETED = html`<p class="notice warning">This article and its text are deleted. Publishing the same document again restores it, with its copies at destinations.</p>`;

function renderStateCommands({ id, status }: OwnArticle): Html {
  const path = `/desk/articles/${id}`;
  if (status === 'PUBLISHED') {
    return html`<div class="actions">${renderButton(`${path}/unpublish`, 'Unpublish')}<span class="soft small">Turns the article into a draft. Copies at destinations are withdrawn as far as the platforms can.</span></div>`;
  }
  const cancel = status === 'SCHEDULED' ? renderButton(`${path}/cancel`, 'Cancel the schedule') : null;
  return html`<div class="actions">${renderButton(`${path}/publish`, 'Publish now', ' primary')}${cancel}</div>`;
}

function renderNotices(notices: ArticleView['notices']): Html | null {
  if (notices.length === 0) return null;
  return html`<h2>Notices</h2><ul class="plain-list noted">${notices.map(
    ({ message, createdAt }) =>
      html`<li><span class="soft small">${renderTime(createdAt)}</span> <span dir="auto">${renderMessage(message)}</span></li>`,
  )}</ul>`;
}

/** Messages are stored with UTC times; the page's script shows them in the reader's zone. */
function renderMessage(message: string): Html[] {
  const parts = message.split(UTC_TIME);
  return parts.map((part, index) => (index % 2 === 0 ? html`${part}` : renderTime(new Date(part))));
}

const UTC_TIME = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;

const ZONES = Intl.supportedValuesOf('timeZone');

function renderSchedule({ article, zone: authorZone }: Pick<ArticleView, 'article' | 'zone'>): Html | null {
  const { id, status, scheduledAt, scheduledZone } = article;
  if (status === 'PUBLISHED') return null;
  const zone = scheduledZone ?? authorZone ?? 'UTC';
  const path = `/desk/articles/${id}`;
  return html`<form class="schedule" method="post" action="${path}/schedule"><input type="hidden" name="back" value="${path}">
<label>Public from <input type="datetime-local" name="at" required value="${scheduledAt === null ? '' : formatLocal(scheduledAt, zone)}"></label>
<label>Time zone <input name="zone" list="zones" value="${zone}" maxlength="60" autocomplete="off"></label>
<datalist id="zones">${ZONES.map((name) => html`<option value="${name}"></option>`)}</datalist>
<button class="button">${status === 'SCHEDULED' ? 'Reschedule' : 'Schedule'}</button></form>`;
}

function renderDeliveries(view: ArticleView, back: string): Html {
  const { cells, formerCopies } = view;
  const former = formerCopies.length === 0 ? null : renderFormerCopies(formerCopies);
  const list =
    cells.length === 0
      ? html`<p class="empty">No destination is connected. <a href="/desk/settings">Connect one</a></p>`
      : html`<ul class="plain-list deliveries">${cells.map((cell) => renderDelivery(view, cell, back))}</ul>`;
  return html`<h2>Destinations</h2>${list}${former}`;
}

function renderDelivery({ article: { id }, temporalUiUrl }: ArticleView, cell: Cell, back: string): Html {
  const { destination, label, reason } = cell;
  const workflowLink =
    temporalUiUrl !== null &&
    cell.hasDelivery &&
    html`<a class="small" href="${buildQueryUrl(temporalUiUrl, `WorkflowId="${buildDeliveryWorkflowId(id, destination)}"`)}">Open in the Temporal UI<span class="sr-only"> (${label})</span></a>`;
  return html`<li id="delivery-${destination}" class="card"><h3>${label}</h3>${renderCellState(cell)}
${reason === null ? null : html`<p dir="auto">${reason}</p>`}${renderNextAttempt(cell)}
<div class="cell-actions">${renderCellActions(id, cell, back)}${workflowLink}</div></li>`;
}

function renderFormerCopies(copies: ArticleView['formerCopies']): Html {
  return html`<h3>At former accounts</h3><ul>${copies.map(
    ({ account, message }) =>
      html`<li>${account === null ? null : html`<bdi>${account}</bdi>: `}<span dir="auto">${message}</span></li>`,
  )}</ul>`;
}

function renderTimeline(attempts: ArticleView['attempts']): Html {
  if (attempts.length === 0) return html`<h2>Delivery history</h2><p class="soft">Nothing sent yet.</p>`;
  const older = attempts.length < MAX_SHOWN_ATTEMPTS ? null : html`<p class="soft">Older attempts are not shown.</p>`;
  return html`<h2>Delivery history</h2><ol class="plain-list timeline">${attempts.map(renderAttempt)}</ol>${older}`;
}

function renderAttempt(row: ArticleView['attempts'][number]): Html {
  const { at, label, account, sent, answer, answeredAt, word, tone, reason, nextAttemptAt } = describeAttempt(row);
  const destination = account === null ? label : html`${label} (<bdi>${account}</bdi>)`;
  return html`<li><p><span class="state ${tone}">${word}</span> <strong>${destination}</strong> <span class="soft small">${renderTime(at)}</span></p>
<p>${sent} ${answer}${answeredAt ? html` <span class="soft small">Response received ${renderTime(answeredAt)}.</span>` : null}</p>
${reason === null ? null : html`<p class="why" dir="auto">${reason}</p>`}${
  nextAttemptAt ? html`<p>Next attempt: ${renderTime(nextAttemptAt)}.</p>` : null
}</li>`;
}

const NO_FILTER = { view: 'all', tag: '', seriesId: '', search: '' } as const;

function renderFacts({ article, series, signal, pageViews }: ArticleView): Html {
  const tags = article.tags.map(
    (tag) => html`<li><a href="${buildListPath({ ...NO_FILTER, tag })}" dir="auto">${tag}</a></li>`,
  );
  return html`<h2>Views</h2>${renderPageViews(pageViews)}${article.deletedAt === null ? html`<p class="small"><a href="/desk/statistics/${article.id}">Full statistics</a></p>` : null}
<h2>More</h2><dl class="facts">
${series ? html`<div><dt>Series</dt><dd><a href="${buildListPath({ ...NO_FILTER, seriesId: series.id })}" dir="auto">${series.title}</a></dd></div>` : null}
${tags.length === 0 ? null : html`<div><dt>Tags</dt><dd><ul class="plain-list tags">${tags}</ul></dd></div>`}
<div><dt>Agents</dt><dd>${renderSignal(signal)}</dd></div>
</dl>`;
}

const USES: Record<SignalUse, string> = {
  search: 'show it in search results',
  'ai-input': 'use it as input for answers',
  'ai-train': 'train on it',
};

function renderSignal(signal: ContentSignal): Html {
  const statedUses = SIGNAL_USES.filter((use) => signal[use] !== undefined);
  if (statedUses.length === 0) return html`No AI preference set.`;
  return html`${statedUses.map((use) => html`They ${signal[use] ? 'may' : 'may not'} ${USES[use]}. `)}`;
}

const DAYS = 30;

function renderPageViews({ firstDay, days }: ArticleView['pageViews']): Html {
  const viewsByDay = new Map(days.map(({ day, views }) => [day, views]));
  const views = Array.from({ length: DAYS }, (_, index) => viewsByDay.get(nameDay(firstDay, index)) ?? 0);
  const total = views.reduce((sum, count) => sum + count, 0);
  if (total === 0) return html`<p class="soft">No views in the last 30 days.</p>`;
  const minutes = Math.round(days.reduce((sum, { readingSeconds }) => sum + readingSeconds, 0) / 60);
  return html`<figure class="readings">${renderSparkline(views)}
<figcaption>${formatQuantity(total, 'view', 'views')} in the last 30 days, at most ${Math.max(...views).toLocaleString('en')} on a day; ${formatQuantity(minutes, 'minute', 'minutes')} of reading.</figcaption></figure>`;
}

function nameDay(firstDay: string, index: number): string {
  return new Date(Date.parse(firstDay) + index * DAY_MS).toISOString().slice(0, 10);
}

export function renderDeletePage({ id, title }: OwnArticle, copies: readonly DescribedCopy[]): Html {
  const path = `/desk/articles/${id}`;
  return html`<p>“<bdi>${title}</bdi>” is removed from this site, and its text is deleted here. Its address then returns 410 (gone). Publishing the same document
again restores it.</p>
${copies.length === 0 ? html`<p>No copies at other sites.</p>` : renderCopies(copies)}
<form class="actions" method="post" action="${path}/delete"><button class="button danger">Delete article</button><a class="button" href="${path}">Cancel</a></form>`;
}

function renderCopies(copies: readonly DescribedCopy[]): Html {
  return html`<h2>Copies at other sites</h2><ul class="plain-list noted">${copies.map(
    ({ isWithdrawn, message }) =>
      html`<li><span class="state ${isWithdrawn ? 'info' : 'warn'}">${isWithdrawn ? 'Will be withdrawn' : 'Not withdrawn'}</span> <span dir="auto">${message}</span></li>`,
  )}</ul>`;
}
