/** A link at each heading of the text, to cite the part that begins there. */

export function addAnchors(): void {
  for (const heading of document.querySelectorAll<HTMLElement>('.prose :is(h2, h3, h4, h5, h6)[id]')) {
    // The heading of the footnotes is not shown.
    if (heading.classList.contains('sr-only')) continue;
    const anchor = document.createElement('a');
    anchor.className = 'anchor';
    anchor.href = `#${encodeURIComponent(heading.id)}`;
    anchor.lang = 'en';
    anchor.ariaLabel = 'Link to this section';
    anchor.textContent = '#';
    heading.append(anchor);
  }
}
