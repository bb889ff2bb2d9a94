/** Adds a link to each heading of the text, for citing a section. */
import { createSiteElement } from './create-site-element.ts';

export function addAnchors(): void {
  for (const heading of document.querySelectorAll<HTMLElement>('.prose :is(h2, h3, h4, h5, h6)[id]')) {
    // The heading of the footnotes is invisible.
    if (heading.classList.contains('sr-only')) continue;
    const href = `#${encodeURIComponent(heading.id)}`;
    heading.append(
      createSiteElement('a', {
        className: 'anchor',
        href,
        lang: 'en',
        ariaLabel: 'Link to this section',
        textContent: '#',
      }),
    );
  }
}
