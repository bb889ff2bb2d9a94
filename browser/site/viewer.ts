/** Who is signed in, in the header of a page that is the same for everybody. */
import { make } from './make.ts';

/** What `/account/viewer` says. */
export interface Viewer {
  name: string;
  username: string;
  unread: number;
}

let asked: Promise<Viewer | null> | undefined;

/** Null where nobody is. Asked once a page, and only where this browser was signed in: readers cost no request. */
export function findViewer(): Promise<Viewer | null> {
  asked ??= /(?:^|; )courant_signed_in=1/.test(document.cookie) ? ask() : Promise.resolve(null);
  return asked;
}

async function ask(): Promise<Viewer | null> {
  try {
    const response = await fetch('/account/viewer', { headers: { accept: 'application/json' } });
    const viewer = response.ok ? ((await response.json()) as Viewer | { username: null }) : null;
    return viewer?.username ? viewer : null;
  } catch {
    // Offline, or the page is being left: it stays as everybody sees it.
    return null;
  }
}

export async function showViewer(): Promise<void> {
  const place = document.querySelector('.site-account');
  const viewer = place && (await findViewer());
  if (!viewer) return;
  place.replaceChildren(make('a', { href: '/desk', textContent: 'Desk', title: `Signed in as ${viewer.name}` }));
  if (viewer.unread === 0) return;
  const unread = make('a', { href: '/desk/notifications', className: 'unread' });
  unread.append(make('span', { className: 'badge', textContent: String(viewer.unread) }));
  unread.append(make('span', { className: 'sr-only', textContent: ' unread' }));
  place.append(unread);
}
