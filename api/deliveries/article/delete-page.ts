/** Renders the confirmation of a deletion, with the article's copies. */
import type { OwnArticle } from '../../../store/articles/own-articles.ts';
import { type Html, html } from '../../web/html.ts';
import type { DescribedCopy } from '../describe-copy.ts';

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
