/** The author's articles at the desk. */
import type { OwnArticle } from '../../../store/articles/own-articles.ts';
import { type Html, html } from '../html.ts';

export function renderArticlesPage(articles: readonly OwnArticle[]): Html {
  if (articles.length === 0) return html`<p class="empty">Nothing is published yet.</p>`;
  const rows = articles.map(
    ({ slug, title, status }) =>
      html`<tr><td><a href="/${encodeURIComponent(slug)}">${title}</a></td><td><span class="state">${status.toLowerCase()}</span></td></tr>`,
  );
  return html`<div class="scroll-x"><table class="data-table"><thead><tr><th>Article</th><th>State</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
