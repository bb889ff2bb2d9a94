/** The number of unread notifications, kept up while the page is open. */
import { onNotification } from './event-stream.ts';

export function countNotifications(): void {
  const badge = document.querySelector<HTMLElement>('[data-unread]');
  if (!badge) return;
  onNotification(() => {
    badge.textContent = String(Number(badge.textContent) + 1);
    badge.hidden = false;
  });
}
