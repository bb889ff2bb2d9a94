/** What a reader sees where there is nothing, or nothing any more. */
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
