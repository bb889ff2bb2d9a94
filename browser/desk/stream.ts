/** Client of `/desk/stream`: calls listeners after each change. */
import { createElement } from '../create-element.ts';

/** `reload` is sent for rows without a specific event. */
const EVENTS = ['article', 'delivery', 'notification', 'reload'];
/** Delay after the server refused the stream. Browsers reopen an interrupted stream themselves. */
const REOPEN_DELAY_MS = 3_000;
/** A timer this late means that the machine slept, so the stream may be half-open. */
const MIN_SLEEP_MS = 30_000;
const SLEEP_CHECK_INTERVAL_MS = 5_000;

const listeners = new Set<() => void>();
let source: EventSource | null = null;

/** Calls `listener` after each change, and after each opening, since nothing is replayed. */
export function onChange(listener: () => void): void {
  listeners.add(listener);
  if (listeners.size > 1) return;
  document.addEventListener('visibilitychange', follow);
  addEventListener('focus', follow);
  addEventListener('online', reopenStream);
  let last = Date.now();
  setInterval(() => {
    if (Date.now() - last > MIN_SLEEP_MS) reopenStream();
    last = Date.now();
  }, SLEEP_CHECK_INTERVAL_MS);
  follow();
}

/** Hidden tabs have no stream: over HTTP/1.1 a browser opens at most six connections to a host. */
function follow(): void {
  if (document.visibilityState === 'hidden') closeStream();
  else if (source === null) openStream();
}

function closeStream(): void {
  source?.close();
  source = null;
}

function reopenStream(): void {
  closeStream();
  follow();
}

function openStream(): void {
  const opened = new EventSource('/desk/stream');
  source = opened;
  opened.addEventListener('open', removeSignInNotice);
  for (const name of ['open', ...EVENTS]) {
    opened.addEventListener(name, () => {
      for (const listener of listeners) listener();
    });
  }
  // Too many windows are open. Reopening at once would evict the next window, and so on without
  // end, so this one reopens when it becomes visible or focused.
  opened.addEventListener('evicted', closeStream);
  opened.addEventListener('error', () => {
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    setTimeout(() => {
      if (source === opened) void reopenIfSignedIn();
    }, REOPEN_DELAY_MS);
  });
}

async function reopenIfSignedIn(): Promise<void> {
  const response = await fetch('/account/viewer').catch(() => null);
  const isSignedOut = response?.ok && ((await response.json()) as { username: string | null }).username === null;
  if (!isSignedOut) return reopenStream();
  // Reopened when the window is focused, because the author may have signed in in another tab.
  source = null;
  showSignInNotice();
}

/** Shows a notice, because a reload would lose typed text that was not sent. */
function showSignInNotice(): void {
  removeSignInNotice();
  const href = `/login?next=${encodeURIComponent(location.pathname + location.search)}`;
  const notice = createElement(
    'p',
    { className: 'notice warning sign-in', role: 'alert' },
    'You are signed out, so this page does not update. Copy any unsaved text, then ',
    createElement('a', { href }, 'Sign in'),
    '.',
  );
  notice.dataset.keep = '';
  document.querySelector('main')?.prepend(notice);
}

function removeSignInNotice(): void {
  document.querySelector('.notice.sign-in')?.remove();
}
