/** Adds a copy button to each block of code. */
import { createSiteElement } from './create-site-element.ts';

const MESSAGE_MS = 2_000;

export function addCodeCopyButtons(): void {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll<HTMLElement>('.prose pre')) {
    const button = createSiteElement('button', {
      type: 'button',
      className: 'copy-code',
      lang: 'en',
      textContent: 'Copy',
    });
    // Read before the button is added.
    const text = block.textContent ?? '';
    const frame = createSiteElement('div', { className: 'code-block', dir: 'ltr' });
    block.replaceWith(frame);
    frame.append(block, button);
    button.addEventListener('click', () => void copyText(text, button));
  }
}

/**
 * Copies the text. The label of the button shows the result for a moment, and screen readers
 * announce it.
 */
export async function copyText(text: string, button: HTMLElement): Promise<void> {
  const { textContent: label } = button;
  if (MESSAGES.includes(label)) return;
  const isDone = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  button.setAttribute('aria-live', 'polite');
  button.textContent = MESSAGES[isDone ? 0 : 1] ?? '';
  setTimeout(() => {
    button.textContent = label;
  }, MESSAGE_MS);
}

const MESSAGES = ['Copied', 'Copying blocked'];
