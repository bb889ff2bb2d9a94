/** Shows times in the author's zone: the one they chose, else the browser's. */
import { createButton } from '../create-element.ts';

const { zone: authorZone } = document.body.dataset;
const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const format = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short', timeZone: authorZone ?? browserZone },
});

/** Skips the text of an article. The text from the server becomes the tooltip. */
export function showLocalTimes(within: ParentNode = document): void {
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[datetime]:not(.prose *, [title])')) {
    time.title = time.textContent;
    time.textContent = format.format(new Date(time.dateTime));
  }
}

/** Stores the zone in a cookie, for the pages that the server lays out by time zone. */
export function storeZoneCookie(): void {
  if (authorZone || !browserZone) return;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser supports the Cookie Store API
  document.cookie = `courant_zone=${browserZone}; path=/desk; max-age=31536000; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`;
}

/** Offers the time zone of the browser if the author chose another one. */
export function offerZone(): void {
  const input = document.querySelector<HTMLInputElement>('input[data-zone]');
  if (!input || !browserZone || input.value === browserZone) return;
  const button = createButton(`Use ${browserZone}, the time zone of this browser`, () => {
    input.value = browserZone;
    button.remove();
    input.focus();
  });
  button.dataset.keep = '';
  input.closest('.field')?.append(button);
}
