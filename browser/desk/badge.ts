/** The number of unread notifications, kept up while the page is open: as the server counts it, since other tabs read some. */
import { onNotification } from './event-stream.ts';
import { gather } from './gather.ts';

export function countNotifications(): void {
  const badge = document.querySelector<HTMLElement>('[data-unread]');
  if (!badge) return;
  const count = gather(() => void showCount(badge));
  onNotification(count);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') count();
  });
}

async function showCount(badge: HTMLElement): Promise<void> {
  const response = await fetch('/account/viewer').catch(() => null);
  // Offline: the next one is counted with it.
  if (!response?.ok) return;
  const { unread } = (await response.json()) as { unread: number };
  badge.textContent = String(unread);
  badge.hidden = unread === 0;
}
