/** The frame of pages opened by a link in a mail, which search engines must not index. */
import { type Html, html } from './html.ts';
import { renderPage } from './layout.ts';

/** `heading` replaces the title as the heading of the page. */
export function renderLinkPage(title: string, body: Html, heading: Html | string = title): string {
  return renderPage(
    { title: `${title} · Courant`, isNoindex: true },
    html`<h1>${heading}</h1>
${body}`,
  );
}

/** `reason`: what is wrong and what to do next. */
export function renderDeadLinkPage(reason: string): string {
  return renderLinkPage('This link does not work', html`<p>${reason}</p>`);
}
