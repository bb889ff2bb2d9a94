/** The frame of what a link in a mail shows: no search engine is to keep it. */
import { type Html, html } from './html.ts';
import { renderPage } from './layout.ts';

/** `heading` where the page says more than its title. */
export function renderLinkPage(title: string, body: Html, heading: Html | string = title): string {
  return renderPage(
    { title: `${title} · Courant`, isPassing: true },
    html`<h1>${heading}</h1>
${body}`,
  );
}
