/** The stream of the desk (`/desk/stream`): tells the parts of this script that something has changed at the server. */

/** `reload` stands for rows without an event of their own. */
const EVENTS = ['article', 'delivery', 'notification', 'reload'];
/** Until a stream that the server refused is opened again. An interrupted one is reopened by the browser, at the server's pace. */
const REOPEN_DELAY_MS = 3_000;
/** A timer that is this late was stopped with the machine, and the stream may be half-open. */
const MIN_SLEEP_MS = 30_000;
const SLEEP_CHECK_INTERVAL_MS = 5_000;

const listeners = new Set<() => void>();
let source: EventSource | null = null;

/** Calls `listener` after each change, and whenever the stream was opened: what happened before that is not replayed. */
export function onChange(listener: () => void): void {
  listeners.add(listener);
  if (listeners.size > 1) return;
  document.addEventListener('visibilitychange', follow);
  addEventListener('online', reopen);
  let last = Date.now();
  setInterval(() => {
    if (Date.now() - last > MIN_SLEEP_MS) reopen();
    last = Date.now();
  }, SLEEP_CHECK_INTERVAL_MS);
  follow();
}

/** A hidden tab holds no stream: a browser has six connections to a host that speaks no HTTP/2, and the seventh tab would never load. */
function follow(): void {
  if (document.visibilityState === 'hidden') {
    source?.close();
    source = null;
  } else if (source === null) {
    open();
  }
}

function reopen(): void {
  source?.close();
  source = null;
  follow();
}

function open(): void {
  const opened = new EventSource('/desk/stream');
  source = opened;
  for (const name of ['open', ...EVENTS]) {
    opened.addEventListener(name, () => {
      for (const listener of listeners) listener();
    });
  }
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
  if (!isSignedOut) reopen();
}
