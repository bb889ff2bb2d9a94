/** A footnote can be read where it is referred to. The link leads to it as before. */
import { make } from './make.ts';

const AWAY_MS = 200;

export function previewFootnotes(): void {
  for (const reference of document.querySelectorAll<HTMLAnchorElement>('a[data-footnote-ref]')) {
    const note = findTarget(reference.hash.slice(1));
    if (note) addPreview(reference, note);
  }
}

/** As the browser finds it: first by what the address says, then by what that means. Authors write addresses that mean nothing (`#%`). */
function findTarget(name: string): HTMLElement | null {
  const found = document.getElementById(name);
  if (found) return found;
  try {
    return document.getElementById(decodeURIComponent(name));
  } catch {
    return null;
  }
}

function addPreview(reference: HTMLElement, note: HTMLElement): void {
  let preview: HTMLElement | null = null;
  let leaving: ReturnType<typeof setTimeout> | undefined;
  const hide = () => {
    preview?.remove();
    preview = null;
  };
  const leave = () => {
    leaving = setTimeout(hide, AWAY_MS);
  };
  const show = () => {
    clearTimeout(leaving);
    if (preview) return;
    preview = renderPreview(note);
    // It can be reached with the pointer, to follow what it links to.
    preview.addEventListener('pointerenter', () => clearTimeout(leaving));
    preview.addEventListener('pointerleave', leave);
    document.body.append(preview);
    place(preview, reference);
  };
  reference.addEventListener('pointerenter', show);
  reference.addEventListener('focus', show);
  reference.addEventListener('pointerleave', leave);
  reference.addEventListener('blur', leave);
  reference.addEventListener('click', hide);
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hide();
  });
}

function renderPreview(note: HTMLElement): HTMLElement {
  const preview = make('div', { className: 'footnote-preview', role: 'tooltip' });
  preview.append(...[...note.cloneNode(true).childNodes]);
  for (const back of preview.querySelectorAll('[data-footnote-backref]')) back.remove();
  // Each id is in a page once.
  for (const named of preview.querySelectorAll('[id]')) named.removeAttribute('id');
  return preview;
}

function place(preview: HTMLElement, reference: HTMLElement): void {
  const { left, top, bottom } = reference.getBoundingClientRect();
  const { width, height } = preview.getBoundingClientRect();
  const isRoomBelow = bottom + height + 16 < innerHeight;
  const x = Math.max(16, Math.min(left, document.documentElement.clientWidth - width - 16));
  preview.style.left = `${x + scrollX}px`;
  preview.style.top = `${(isRoomBelow ? bottom + 6 : Math.max(8, top - height - 6)) + scrollY}px`;
}
