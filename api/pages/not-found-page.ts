/** What a reader sees where there is nothing, nothing any more, or nothing just now. */
import { html } from './html.ts';
import { page } from './layout.ts';

export function notFoundPage(): string {
  return page(
    { title: 'Not found' },
    html`<h1>Not found</h1><p>There is no article at this address. <a href="/">See what is new.</a></p>`,
  );
}

export function gonePage(): string {
  return page(
    { title: 'Withdrawn' },
    html`<h1>Withdrawn</h1><p>Its author has taken this article back. <a href="/">See what is new.</a></p>`,
  );
}

export function unavailablePage(): string {
  return page(
    { title: 'Not available' },
    html`<h1>Not available</h1><p>This page cannot be shown just now. Try again in a moment.</p>`,
  );
}
