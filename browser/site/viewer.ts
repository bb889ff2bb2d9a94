/** Who is signed in, in the header of a page that is the same for everybody. */

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
  const desk = document.createElement('a');
  desk.href = '/desk';
  desk.textContent = 'Desk';
  desk.title = `Signed in as ${viewer.name}`;
  place.replaceChildren(desk);
  if (viewer.unread === 0) return;
  const unread = document.createElement('a');
  unread.href = '/desk/notifications';
  unread.className = 'unread';
  unread.append(Object.assign(document.createElement('span'), { className: 'badge', textContent: viewer.unread }));
  unread.append(Object.assign(document.createElement('span'), { className: 'sr-only', textContent: ' unread' }));
  place.append(unread);
}
