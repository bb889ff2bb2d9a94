/**
 * The desk's articles, kept up while the page is open: what a notification is about is asked for again at once, what is under way from time to time,
 * and commands are sent without leaving the page. Everything works without this, by loading the page again.
 */
import { onNotification, type StreamedNotification } from './event-stream.ts';
import { refreshPart, refreshRowOf } from './refresh-part.ts';
import { say } from './say.ts';
import { sendCommand } from './send-command.ts';

const TICK_MS = 2_000;
/** What is under way is asked for after so long, and twice as long each time that nothing changed. */
const FIRST_PAUSE_MS = 4_000;
const LONGEST_PAUSE_MS = 60_000;
const MOST_AT_ONCE = 4;

const pauses = new Map<string, { next: number; pause: number }>();

export function followArticles(): void {
  if (!document.querySelector('[data-follow]')) return;
  onNotification((notification) => void follow(notification));
  document.addEventListener('submit', (event) => void sendCommand(event));
  setInterval(() => void askForSome(), TICK_MS);
}

async function follow({ id, type, postTitle }: StreamedNotification): Promise<void> {
  if (!type.startsWith('CROSS_POST_')) return;
  const grid = document.getElementById('grid');
  if (!grid) await Promise.all(listParts('[data-follow]').map(refresh));
  else if (!(await refreshRowOf(id))) {
    // An article that was not on the page: perhaps the first one, or a new one.
    await refreshPart(grid);
    say(`${postTitle}: ${type === 'CROSS_POST_SUCCESS' ? 'delivered' : 'failed'}.`, 'quiet');
  }
  // One refused credential is one notification, and holds all that waits for it.
  if (type === 'CROSS_POST_FAILED') pauses.clear();
}

/** Those that were not asked for the longest time, a few at once. */
async function askForSome(): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  const now = Date.now();
  const due = listParts('[data-under-way]').filter((part) => {
    const known = pauses.get(part.id);
    if (!known) pauses.set(part.id, { next: now + FIRST_PAUSE_MS, pause: FIRST_PAUSE_MS });
    return known !== undefined && known.next <= now;
  });
  const order = (part: HTMLElement) => pauses.get(part.id)?.next ?? 0;
  await Promise.all(
    due
      .sort((one, other) => order(one) - order(other))
      .slice(0, MOST_AT_ONCE)
      .map(refresh),
  );
}

async function refresh(part: HTMLElement): Promise<void> {
  const { pause: before = FIRST_PAUSE_MS } = pauses.get(part.id) ?? {};
  // Until it is answered it is not asked for again.
  pauses.set(part.id, { next: Number.POSITIVE_INFINITY, pause: before });
  const hasChanged = await refreshPart(part);
  const pause = hasChanged ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, 2 * before);
  pauses.set(part.id, { next: Date.now() + pause, pause });
}

function listParts(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)];
}
