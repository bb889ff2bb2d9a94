/** Shows a message on the desk and announces it to screen readers. */
export function showDeskMessage(text: string, kind: 'done' | 'refused' | 'warning' | 'quiet'): void {
  const container = document.querySelector('[data-message]');
  if (!container) return;
  const message = document.createElement('p');
  message.textContent = text;
  message.dir = 'auto';
  // The page itself shows a changed state. Only the result of a command also appears as a notice.
  message.className = kind === 'quiet' ? 'sr-only' : `notice ${kind}`;
  // Replaces only messages of the same kind, because a state change follows the result of a command
  // and would remove it.
  const outdated = [...container.children].filter(
    (previous) => previous.classList.contains('sr-only') === (kind === 'quiet'),
  );
  for (const previous of outdated) previous.remove();
  container.append(message);
}
