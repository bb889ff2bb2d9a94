/** The number of unread notifications, kept up while the page is open: as the server counts it, since other tabs read some. */
import { onNotification } from './event-stream.ts';

/** Many things may happen at once: they are one question. */
const GATHER_MS = 150;

export function countNotifications(): void {
  const badge = document.querySelector<HTMLElement>('[data-unread]');
  if (!badge) return;
  let planned = false;
  const plan = () => {
    if (planned || document.visibilityState === 'hidden') return;
    planned = true;
    setTimeout(() => {
      planned = false;
      void count(badge);
    }, GATHER_MS);
  };
  onNotification(plan);
  document.addEventListener('visibilitychange', plan);
}

async function count(badge: HTMLElement): Promise<void> {
  const response = await fetch('/account/viewer').catch(() => null);
  // Offline: the next one is counted with it.
  if (!response?.ok) return;
  const { unread } = (await response.json()) as { unread: number };
  badge.textContent = String(unread);
  badge.hidden = unread === 0;
}
