/** What a reader sees where an article does not exist, was withdrawn, or cannot be shown at the moment. */
import { html } from './html.ts';
import { renderPage } from './layout.ts';

export function renderNotFoundPage(): string {
  return renderPage(
    { title: 'Not found' },
    html`<h1>Not found</h1><p>There is no article at this address. <a href="/">See what is new.</a></p>`,
  );
}

export function renderGonePage(): string {
  return renderPage(
    { title: 'Withdrawn' },
    html`<h1>Withdrawn</h1><p>This article is no longer published. <a href="/">See what is new.</a></p>`,
  );
}

export function renderUnavailablePage(): string {
  return renderPage(
    { title: 'Not available' },
    html`<h1>Not available</h1><p>This page cannot be shown just now. Try again in a moment.</p>`,
  );
}
