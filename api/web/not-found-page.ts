/** Pages for an article that does not exist, was withdrawn, or cannot be shown at the moment. */
import { type Html, html } from './html.ts';
import { renderPage } from './layout.ts';

export function renderNotFoundPage(): string {
  return renderMissingPage('Not found', html`No page exists at this address. Check it for typing errors.`);
}

export function renderWithdrawnPage(): string {
  return renderMissingPage('Withdrawn', html`The author has unpublished this article.`);
}

export function renderUnavailablePage(): string {
  return renderPage(
    { title: 'Not available · Courant' },
    html`<h1>Not available</h1><p class="lede">This page is temporarily unavailable. Try again in a moment.</p>`,
  );
}

function renderMissingPage(title: string, reason: Html): string {
  return renderPage(
    { title: `${title} · Courant`, isNoindex: true },
    html`<h1>${title}</h1><p class="lede">${reason}</p>
<form class="search-form" action="/search" role="search" aria-label="All articles"><input type="search" name="q" aria-label="Search articles" placeholder="Words of the title" required maxlength="200"><button class="button primary">Search</button></form>
<p>Or see the <a href="/">latest articles</a> or <a href="/archive">all articles</a>.</p>`,
  );
}
