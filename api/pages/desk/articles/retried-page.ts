/** What a retry of many articles did, article by article. */
import type { OwnArticle } from '../../../../store/articles/own-articles.ts';
import { type Html, html } from '../../html.ts';

export interface Retried {
  article: Pick<OwnArticle, 'id' | 'title'>;
  done: { label: string }[];
  /** What a retry does not help. */
  left: { label: string; why: string }[];
}

/** `isFull`: there may be more than were taken at once. */
export function renderRetriedPage(
  retried: readonly Retried[],
  { back, isFull }: { back: string; isFull: boolean },
): Html {
  const count = retried.reduce((sum, { done }) => sum + done.length, 0);
  return html`<p role="status">${count === 1 ? 'One delivery is' : `${count} deliveries are`} tried again.${
    isFull ? ' These are the first fifty articles: do it again for the next.' : null
  }</p>
<ul class="retried">${retried.map(renderArticle)}</ul>
<p><a class="button" href="${back}">Back to your articles</a></p>`;
}

function renderArticle({ article, done, left }: Retried): Html {
  const isIdle = done.length + left.length === 0;
  return html`<li><a href="/desk/articles/${article.id}" dir="auto">${article.title}</a>
${done.length === 0 ? null : html`<p><span class="state info">tried again</span> ${done.map(({ label }) => label).join(', ')}</p>`}${left.map(
  ({ label, why }) => html`<p><span class="state warn">left as it is</span> ${label}: ${why}</p>`,
)}${isIdle ? html`<p class="soft">Nothing to retry.</p>` : null}</li>`;
}
