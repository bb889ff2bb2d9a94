/**
 * Copies a text. The label of the button shows the result for a moment, and screen readers announce
 * it.
 */
const MESSAGE_MS = 2_000;
const MESSAGES = ['Copied', 'Copying blocked'];

export async function copyText(text: string, button: HTMLElement): Promise<void> {
  const { textContent: label } = button;
  const name = button.getAttribute('aria-label');
  if (MESSAGES.includes(label)) return;
  const isDone = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  button.setAttribute('aria-live', 'polite');
  button.textContent = MESSAGES[isDone ? 0 : 1] ?? '';
  // Would hide the message.
  button.removeAttribute('aria-label');
  setTimeout(() => {
    button.textContent = label;
    if (name !== null) button.setAttribute('aria-label', name);
  }, MESSAGE_MS);
}
