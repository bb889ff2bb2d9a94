/** Shows a footnote beside its reference on hover and focus. The link still leads there. */
import { createElement } from '../create-element.ts';

const HIDE_DELAY_MS = 200;

export function previewFootnotes(): void {
  for (const reference of document.querySelectorAll<HTMLAnchorElement>('a[data-footnote-ref]')) {
    const note = findTarget(reference.hash.slice(1));
    if (note) addPreview(reference, note);
  }
}

/**
 * Finds the target like a browser: first by the raw fragment, then by the decoded one. Decoding
 * throws on a malformed fragment such as `#%`.
 */
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
  let hideTimer: ReturnType<typeof setTimeout> | undefined;
  const hide = () => {
    preview?.remove();
    preview = null;
  };
  const hideLater = () => {
    hideTimer = setTimeout(hide, HIDE_DELAY_MS);
  };
  const show = () => {
    clearTimeout(hideTimer);
    if (preview) return;
    preview = renderPreview(note);
    // Stays open below the pointer, so that readers can follow its links.
    preview.addEventListener('pointerenter', () => clearTimeout(hideTimer));
    preview.addEventListener('pointerleave', hideLater);
    document.body.append(preview);
    positionPreview(preview, reference);
  };
  reference.addEventListener('pointerenter', show);
  reference.addEventListener('focus', show);
  reference.addEventListener('pointerleave', hideLater);
  reference.addEventListener('blur', hideLater);
  reference.addEventListener('click', hide);
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hide();
  });
}

function renderPreview(note: HTMLElement): HTMLElement {
  const content = [...note.cloneNode(true).childNodes];
  const preview = createElement('div', { className: 'footnote-preview', role: 'tooltip' }, ...content);
  for (const back of preview.querySelectorAll('[data-footnote-backref]')) back.remove();
  // Ids are unique within a page.
  for (const named of preview.querySelectorAll('[id]')) named.removeAttribute('id');
  return preview;
}

function positionPreview(preview: HTMLElement, reference: HTMLElement): void {
  const { left, top, bottom } = reference.getBoundingClientRect();
  const { width, height } = preview.getBoundingClientRect();
  const fitsBelow = bottom + height + 16 < innerHeight;
  const x = Math.max(16, Math.min(left, document.documentElement.clientWidth - width - 16));
  preview.style.left = `${x + scrollX}px`;
  preview.style.top = `${(fitsBelow ? bottom + 6 : Math.max(8, top - height - 6)) + scrollY}px`;
}
