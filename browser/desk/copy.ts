/** Adds a copy button after each element with `data-copy`. */
import { copyText } from '../copy-text.ts';
import { createButton } from '../create-element.ts';

export function addCopyButtons(): void {
  if (!navigator.clipboard) return;
  for (const source of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const button = createButton('Copy', () => void copyText(source.textContent ?? '', button));
    button.setAttribute('aria-label', `Copy ${source.dataset.copy}`);
    // Excludes it from a refresh of the page.
    button.dataset.keep = '';
    source.after(button);
  }
}
