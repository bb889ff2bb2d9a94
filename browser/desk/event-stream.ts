/** What happens to an author's articles, as it happens: one stream for all that a page shows of it. */

/** As the stream sends it (docs/notifications.md). */
export interface StreamedNotification {
  id: string;
  type: string;
  postTitle: string;
  url?: string;
  platform?: string;
  sharedUrl?: string;
  reason?: string;
}

type Listener = (notification: StreamedNotification) => void;

/** How long to wait before the stream is opened again; the server asks for its own pace within one stream. */
const PAUSE_MS = 3_000;

const listeners = new Set<Listener>();
/** What the page itself knows of already: what came since is sent first. */
let lastEventId = document.body.dataset.lastEvent ?? '';
let source: EventSource | null = null;
let isOpening = false;

export function onNotification(listener: Listener): void {
  if (listeners.size === 0) {
    document.addEventListener('visibilitychange', follow);
    follow();
  }
  listeners.add(listener);
}

/**
 * A tab that nobody looks at holds no stream: a browser has six connections to a host that speaks no HTTP/2, and the seventh tab would never load.
 * It hears what it missed when it is looked at again.
 */
function follow(): void {
  if (document.visibilityState === 'hidden') {
    source?.close();
    source = null;
  } else if (source === null && !isOpening) {
    isOpening = true;
    void open().finally(() => {
      isOpening = false;
    });
  }
}

/** A token opens a stream for five minutes: one that ended later is opened with another one, from where it stopped. */
async function open(): Promise<void> {
  const token = await fetchToken();
  if (token === 'signed out' || document.visibilityState === 'hidden') return;
  if (token === 'later') return void setTimeout(follow, PAUSE_MS);
  const after = lastEventId && `&lastEventId=${lastEventId}`;
  const opened = new EventSource(`/notifications/stream?token=${encodeURIComponent(token.value)}${after}`);
  source = opened;
  opened.addEventListener('notification', (event) => {
    lastEventId = event.lastEventId;
    const notification = JSON.parse(event.data as string) as StreamedNotification;
    for (const listener of listeners) listener(notification);
  });
  opened.addEventListener('error', () => {
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    source = null;
    setTimeout(follow, PAUSE_MS);
  });
}

async function fetchToken(): Promise<{ value: string } | 'signed out' | 'later'> {
  try {
    const response = await fetch('/notifications/sse-token');
    if (response.status === 401 || response.status === 403) return 'signed out';
    return response.ok ? { value: ((await response.json()) as { token: string }).token } : 'later';
  } catch {
    // Offline: it is tried until the network is back.
    return 'later';
  }
}
