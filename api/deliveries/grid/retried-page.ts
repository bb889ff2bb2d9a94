/** Renders the result of a bulk retry, article by article. */
import type { OwnArticle } from '../../../store/articles/own-articles.ts';
import { type Html, html } from '../../web/html.ts';

export interface BulkRetryResult {
  article: Pick<OwnArticle, 'id' | 'title'>;
  done: { label: string }[];
  /** Deliveries that a retry does not help, with the reason. */
  notRetried: { label: string; why: string }[];
}

/** `next`: cursor of the remaining articles; null if there are none. */
export function renderRetriedPage(
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
${done.length === 0 ? null : html`<p><span class="state info">Retrying</span> ${done.map(({ label }) => label).join(', ')}</p>`}${notRetried.map(
  ({ label, why }) => html`<p><span class="state warn">Not retried</span> ${label}: ${why}</p>`,
)}${isIdle ? html`<p class="soft">Nothing to retry.</p>` : null}</li>`;
}
