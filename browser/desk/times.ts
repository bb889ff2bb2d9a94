/** Moments, which the server tells by UTC, as the author's clock shows them: of the zone that they chose, or else that of this browser. */

const { zone: chosen } = document.body.dataset;
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const format = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short', timeZone: chosen ?? own },
});

/** Those of a zone that somebody named stay. */
export function showOwnTimes(within: ParentNode = document): void {
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
    const { textContent: told } = time;
    if (!told.endsWith(' UTC') || time.title) continue;
    time.title = told;
    time.textContent = format.format(new Date(time.dateTime));
  }
}

/** For the pages that the server lays out by a zone. */
export function tellZone(): void {
  if (chosen || !own) return;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the other way
  document.cookie = `courant_zone=${own}; path=/desk; max-age=31536000; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`;
}
