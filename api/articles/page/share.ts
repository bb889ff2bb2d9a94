/** Renders the share group: a mail link. The page's script adds the options of the browser. */
import { type Html, html } from '../../web/html.ts';

export function renderShare({ title, url }: { title: string; url: string }): Html {
  const query = new URLSearchParams({ subject: title, body: url }).toString().replaceAll('+', '%20');
  return html`<div class="share" role="group" aria-label="Share" data-share="${url}"><a class="button compact" href="mailto:?${query}">Mail<span class="sr-only"> the link to someone</span></a></div>`;
}
