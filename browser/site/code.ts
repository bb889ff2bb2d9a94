/** Adds a copy button to each block of code. */
import { copyText } from '../copy-text.ts';
import { createButton, createElement } from '../create-element.ts';

export function addCodeCopyButtons(): void {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll<HTMLElement>('.prose pre')) {
    // Read before the button is added.
    const text = block.textContent ?? '';
    const button = createButton('Copy', () => void copyText(text, button), 'copy-code');
    button.lang = 'en';
    const frame = createElement('div', { className: 'code-block', dir: 'ltr' });
    block.replaceWith(frame);
    frame.append(block, button);
  }
}
