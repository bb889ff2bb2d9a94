/** Renders an article's page at the desk. */
import type { OwnArticle } from '../../../store/articles/own-articles.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type Html, html } from '../../web/html.ts';
import { renderButton, renderCommandForm } from '../grid/command-buttons.ts';
import { renderArticleState } from './article-state.ts';
import { renderDeliveries } from './deliveries.ts';
import { renderFacts } from './facts.ts';
import type { ArticleView } from './load-article.ts';
import { renderSchedule } from './schedule.ts';
import { renderTimeline } from './timeline.ts';

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
