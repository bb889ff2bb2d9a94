/** Adds buttons that copy the link to an article or open the share dialog of the system. */
import { copyText } from './code.ts';
import { createSiteElement } from './create-site-element.ts';

export function addShareButtons(): void {
  const group = document.querySelector<HTMLElement>('[data-share]');
  const { share: url } = group?.dataset ?? {};
  if (!group || !url) return;
  const add = (text: string, onClick: (button: HTMLElement) => unknown) => {
    const button = createSiteElement('button', { type: 'button', className: 'button compact', textContent: text });
    button.addEventListener('click', () => onClick(button));
    group.prepend(button);
  };
  if (navigator.clipboard) add('Copy link', (button) => void copyText(url, button));
  // Closing the share dialog rejects the promise; this is not an error.
  if (navigator.share) add('Share…', () => void navigator.share({ url, title: document.title }).catch(() => undefined));
}
