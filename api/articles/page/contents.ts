/**
 * Renders the table of contents, shown beside the text, or above it on narrow screens. Collapsed
 * until `early.ts` opens it on wide screens: above the text, a list that collapses later would move
 * what a browser already shows of a page that arrives slowly.
 */
import type { Heading } from '../../../article/types.ts';
import { type Html, html } from '../../web/html.ts';

/** Returns null for fewer than two headings. */
export function renderContents(headings: readonly Heading[]): Html | null {
  const listed = headings.filter(({ level }) => level === 2 || level === 3);
  if (listed.length < 2) return null;
  const items = listed.map(({ id, text, level }) => {
    const link = html`<a href="#${id}" dir="auto">${text}</a>`;
    return level === 2 ? html`<li>${link}</li>` : html`<li class="sub">${link}</li>`;
  });
  return html`<nav class="toc" aria-label="Contents"><details><summary lang="en">Contents</summary><ol>${items}</ol></details></nav>`;
}
