/** Adds buttons that copy the link to an article or open the share dialog of the system. */
import { copyText } from '../copy-text.ts';
import { createButton } from '../create-element.ts';

export function addShareButtons(): void {
  const group = document.querySelector<HTMLElement>('[data-share]');
  const url = group?.dataset.share;
  if (!url) return;
  const copy = createButton('Copy link', () => void copyText(url, copy));
  if (navigator.clipboard) group.prepend(copy);
  if (!navigator.share) return;
  // Closing the share dialog rejects the promise; this is not an error.
  const share = () => void navigator.share({ url, title: document.title }).catch(() => undefined);
  group.prepend(createButton('Share…', share));
}
