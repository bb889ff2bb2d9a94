/** A button on each block of code that copies it. */
import { make } from './make.ts';

const SAID_MS = 2_000;

export function addCopyButtons(): void {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll<HTMLElement>('.prose pre')) {
    const button = make('button', { type: 'button', className: 'copy-code', lang: 'en', textContent: 'Copy' });
    // The text as it stands before anything is added to it.
    const text = block.textContent ?? '';
    const frame = make('div', { className: 'code-block', dir: 'ltr' });
    block.replaceWith(frame);
    frame.append(block, button);
    button.addEventListener('click', () => void copyText(text, button));
  }
}

/** The button says for a moment how it went, which is read out too. */
export async function copyText(text: string, button: HTMLElement): Promise<void> {
  const { textContent: label } = button;
  if (SAID.includes(label)) return;
  const isDone = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  button.setAttribute('aria-live', 'polite');
  button.textContent = SAID[isDone ? 0 : 1] ?? '';
  setTimeout(() => {
    button.textContent = label;
  }, SAID_MS);
}

const SAID = ['Copied', 'Not allowed'];
