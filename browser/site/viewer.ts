/** Shows the signed-in reader in the header of public pages, which are the same for all readers. */
import { createElement } from '../create-element.ts';

export interface Viewer {
  name: string;
  username: string;
  unread: number;
}

let request: Promise<Viewer | null> | undefined;

/**
 * Returns null if nobody is signed in. Sends one request per page, and none without the cookie of
 * an earlier login.
 */
export function findViewer(): Promise<Viewer | null> {
  request ??= /(?:^|; )courant_signed_in=1/.test(document.cookie) ? loadViewer() : Promise.resolve(null);
  return request;
}

async function loadViewer(): Promise<Viewer | null> {
  try {
    const response = await fetch('/account/viewer', { headers: { accept: 'application/json' } });
    const viewer = response.ok ? ((await response.json()) as Viewer | { username: null }) : null;
    return viewer?.username ? viewer : null;
  } catch {
    // Offline or leaving the page: the header keeps its public form.
    return null;
  }
}

export async function showViewer(): Promise<void> {
  const container = document.querySelector('.site-account');
  const viewer = container && (await findViewer());
  if (!viewer) return;
  document.querySelector('[data-signed-out]')?.remove();
  container.replaceChildren(createElement('a', { href: '/desk', title: `Signed in as ${viewer.name}` }, 'Desk'));
  if (viewer.unread === 0) return;
  const badge = createElement('span', { className: 'badge' }, String(viewer.unread));
  const label = createElement('span', { className: 'sr-only' }, ' unread');
  container.append(createElement('a', { href: '/desk/notifications', className: 'unread' }, badge, label));
}
