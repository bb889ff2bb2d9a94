/** Adds a link to each heading of the text, for citing a section. */
import { createElement } from '../create-element.ts';

export function addAnchors(): void {
  for (const heading of document.querySelectorAll<HTMLElement>('.prose :is(h2, h3, h4, h5, h6)[id]')) {
    // The heading of the footnotes is invisible.
    if (heading.classList.contains('sr-only')) continue;
    const href = `#${encodeURIComponent(heading.id)}`;
    const properties = { className: 'anchor', href, lang: 'en', 'aria-label': 'Link to this section' };
    heading.append(createElement('a', properties, '#'));
  }
}
