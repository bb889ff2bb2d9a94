/** Refreshes a desk page after each change: loads it in the background and morphs what differs. */
import { announceChanges } from './announce-changes.ts';
import { coalesce } from './coalesce.ts';
import { morph } from './morph.ts';
import { explainPlots } from './plots.ts';
import { onChange } from './stream.ts';
import { showOwnTimes } from './times.ts';

const RETRY_DELAY_MS = 3_000;
/** The class of what is being dragged. */
export const DRAGGED = 'is-dragged';

const main = document.querySelector<HTMLElement>('main[data-live]');

/** Resolves when the page shows what the server has now. */
export const refreshPage = coalesce(refresh);

export function followPage(): void {
  if (main) onChange(refreshPage);
}

async function refresh(): Promise<void> {
  const page = await load();
  // Do not refresh during a drag; its end triggers a refresh.
  if (!main || !page || main.querySelector(`.${DRAGGED}`)) return;
  const unread = page.querySelector('[data-unread]');
  if (unread) document.querySelector('[data-unread]')?.replaceWith(unread);
  // An error page does not replace this one.
  const fresh = page.querySelector<HTMLElement>('main[data-live]');
  if (!fresh) return;
  document.title = page.title;
  showOwnTimes(fresh);
  announceChanges(main, () => {
    const focused = main.contains(document.activeElement) ? document.activeElement : null;
    const part = focused?.closest('[id]');
    morph(main, fresh);
    if (focused && !focused.isConnected) focusWithin(part?.id);
  });
  explainPlots();
}

/** If the focused button was removed, focus its section. */
export function focusWithin(id: string | undefined): void {
  const part = id && document.getElementById(id);
  if (part) part.querySelector<HTMLElement>('th a, button, a')?.focus();
}

/** Null without a response, or after a redirect to another page, as when the session has ended. */
async function load(): Promise<Document | null> {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null);
  if (!response || response.status >= 500) setTimeout(refreshPage, RETRY_DELAY_MS);
  if (!response || response.redirected) return null;
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}
