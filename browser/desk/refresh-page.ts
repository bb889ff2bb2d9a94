/** Refreshes a desk page after each change: loads it in the background and updates differences. */
import { announceChanges } from './announce-changes.ts';
import { coalesce } from './coalesce.ts';
import { morph } from './morph.ts';
import { explainPlots } from './plots.ts';
import { onChange } from './stream.ts';
import { showLocalTimes } from './times.ts';

const RETRY_DELAY_MS = 3_000;
/** Refreshes run one at a time, so a load without a response would block all later ones. */
const LOAD_TIMEOUT_MS = 10_000;
/** The class of the element that is being dragged. */
export const DRAGGED = 'is-dragged';

const main = document.querySelector<HTMLElement>('main[data-live]');
let retryTimer: ReturnType<typeof setTimeout> | undefined;

/** Resolves when the page shows the server's current state. */
export const refreshPage = coalesce(refresh);

export function followPage(): void {
  if (main) onChange(refreshPage);
}

async function refresh(): Promise<void> {
  const page = await load();
  // Do not refresh during a drag; its end triggers a refresh.
  if (!main || !page || main.querySelector(`.${DRAGGED}`)) return;
  // The author's name and the unread count. Another author may have signed in in another tab.
  const bar = document.querySelector('.desk-bar');
  const freshBar = page.querySelector('.desk-bar');
  if (bar && freshBar) morph(bar, freshBar);
  // An error page does not replace this one.
  const fresh = page.querySelector<HTMLElement>('main[data-live]');
  if (!fresh) return;
  document.title = page.title;
  showLocalTimes(fresh);
  announceChanges(main, () => {
    const focused = main.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    const part = focused?.closest('main [id]');
    morph(main, fresh);
    if (focused?.isConnected) focused.focus({ preventScroll: true });
    else focusWithin(part?.id);
  });
  explainPlots();
}

/** If the focused button was removed, focus its section. */
export function focusWithin(id: string | undefined): void {
  const part = id && document.getElementById(id);
  if (part) part.querySelector<HTMLElement>('th a, button, a')?.focus({ preventScroll: true });
}

/** Null without a response, or after a redirect to another page, as when the session has ended. */
async function load(): Promise<Document | null> {
  clearTimeout(retryTimer);
  const headers = { accept: 'text/html' };
  try {
    const response = await fetch(location.href, { headers, signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) });
    if (response.redirected) return null;
    if (response.status < 500) return new DOMParser().parseFromString(await response.text(), 'text/html');
  } catch {
    // The response is missing or incomplete.
  }
  retryTimer = setTimeout(refreshPage, RETRY_DELAY_MS);
  return null;
}
