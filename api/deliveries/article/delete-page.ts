/** Renders the confirmation of a deletion, with the article's copies. */
import type { OwnArticle } from '../../../store/articles/own-articles.ts';
import { type Html, html } from '../../web/html.ts';
import type { DescribedCopy } from '../describe-copy.ts';

export function renderDeletePage({ id, title }: OwnArticle, copies: readonly DescribedCopy[]): Html {
  const path = `/desk/articles/${id}`;
  return html`<p>“<bdi>${title}</bdi>” is taken from this site, and its text is erased here. Its address answers that it is gone. Publishing the same document
again brings it back.</p>
${copies.length === 0 ? html`<p>It stands nowhere else.</p>` : renderCopies(copies)}
<form class="actions" method="post" action="${path}/delete"><button class="button danger">Delete it</button><a class="button" href="${path}">Keep it</a></form>`;
}

function renderCopies(copies: readonly DescribedCopy[]): Html {
  return html`<h2>Elsewhere</h2><ul class="plain-list noted">${copies.map(
    ({ isWithdrawn, message }) =>
      html`<li><span class="state ${isWithdrawn ? 'info' : 'warn'}">${isWithdrawn ? 'taken back' : 'stays'}</span> <span dir="auto">${message}</span></li>`,
  )}</ul>`;
}
