/** Pages for an article that does not exist, was withdrawn, or cannot be shown at the moment. */
import { type Html, html } from './html.ts';
import { renderPage } from './layout.ts';

export function renderNotFoundPage(): string {
  return renderMissingPage(
    'Not found',
    html`There is nothing at this address. It may have been typed or copied with a mistake, or it never was here.`,
  );
}

export function renderGonePage(): string {
  return renderMissingPage('Withdrawn', html`This article is no longer published: its author took it back.`);
}

export function renderUnavailablePage(): string {
  return renderPage(
    { title: 'Not available · Courant' },
    html`<h1>Not available</h1><p class="lede">This page cannot be shown just now. Try again in a moment.</p>`,
  );
}

function renderMissingPage(title: string, reason: Html): string {
  return renderPage(
    { title: `${title} · Courant`, isNoindex: true },
    html`<h1>${title}</h1><p class="lede">${reason}</p>
<form class="search-form" action="/search" role="search" aria-label="All articles"><input type="search" name="q" aria-label="Words to search for" placeholder="Words of its title" required maxlength="200"><button class="button primary">Search</button></form>
<p>Or see <a href="/">what is new</a>, or <a href="/archive">everything that was published</a>.</p>`,
  );
}
