/** Shows a message on the desk and announces it to screen readers. */
import { createElement } from '../create-element.ts';

export function showDeskMessage(text: string, kind: 'done' | 'refused' | 'warning' | 'quiet'): void {
  const container = document.querySelector('[data-message]');
  if (!container) return;
  // The page itself shows a changed state. Only the result of a command also appears as a notice.
  const className = kind === 'quiet' ? 'sr-only' : `notice ${kind}`;
  const message = createElement('p', { dir: 'auto', className }, text);
  // Replaces only messages of the same kind, because a state change follows the result of a command
  // and would remove it.
  const outdated = container.querySelectorAll(kind === 'quiet' ? '.sr-only' : '.notice');
  for (const previous of outdated) previous.remove();
  container.append(message);
}
