/** Shows the number of unread notifications on pages without live updates, such as the editor. */
import { coalesce } from './coalesce.ts';
import { onChange } from './stream.ts';

export function countNotifications(): void {
  const badge = document.querySelector<HTMLElement>('[data-unread]');
  if (badge && !document.querySelector('main[data-live]')) onChange(coalesce(() => showCount(badge)));
}

async function showCount(badge: HTMLElement): Promise<void> {
  const response = await fetch('/account/viewer').catch(() => null);
  // If offline, the number is read when the stream is opened again.
  if (!response?.ok) return;
  const { unread } = (await response.json()) as { unread: number };
  badge.textContent = String(unread);
  badge.hidden = unread === 0;
}
