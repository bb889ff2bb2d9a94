/** Page with the comments that do not fit on the page of their article. */
import { html } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import { buildArticlePath, buildArticleViewerPath } from '../paths.ts';
import { type Discussion, renderDiscussion } from './list.ts';

export function renderCommentsPage(title: string, discussion: Discussion): string {
  const { slug } = discussion;
  return renderPage(
    { title: `Comments on ${title} · Courant`, isNoindex: true },
    html`<div data-viewer="${buildArticleViewerPath(slug)}"><h1>Comments on <a href="${buildArticlePath(slug)}" dir="auto">${title}</a></h1>
${renderDiscussion(discussion)}</div>`,
  );
}
