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
let isOpen = false;
let lastEventId = '';

export function onNotification(listener: Listener): void {
  listeners.add(listener);
  if (isOpen) return;
  isOpen = true;
  void open();
}

/** A token opens a stream for five minutes: one that ended later is opened with another one, from where it stopped. */
async function open(): Promise<void> {
  const token = await fetchToken();
  if (token === 'signed out') return;
  if (token === 'later') return void setTimeout(open, PAUSE_MS);
  const after = lastEventId && `&lastEventId=${lastEventId}`;
  const source = new EventSource(`/notifications/stream?token=${encodeURIComponent(token.value)}${after}`);
  source.addEventListener('notification', (event) => {
    lastEventId = event.lastEventId;
    const notification = JSON.parse(event.data as string) as StreamedNotification;
    for (const listener of listeners) listener(notification);
  });
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(open, PAUSE_MS);
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
