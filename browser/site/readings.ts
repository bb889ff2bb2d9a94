/**
 * Reports that the page of an article was opened, and for how long it was seen (docs/interactions.md). No cookie, and nothing is kept in the
 * browser. A page that is loaded ahead of time is reported once somebody sees it.
 */

/** Often enough that no report is longer than one may be; on phones a page may be ended without a word. */
const LONGEST_MS = 300_000;

export function reportReadings(): void {
  const to = document.querySelector<HTMLElement>('[data-readings]')?.dataset.readings;
  if (to === undefined) return;
  const report = (seconds: number) =>
    navigator.sendBeacon(to, JSON.stringify({ seconds, referrer: document.referrer }));
  let opened = false;
  let since: number | null = null;
  const stop = () => {
    if (since === null) return;
    const seconds = Math.round((performance.now() - since) / 1000);
    since = null;
    if (seconds > 0) report(seconds);
  };
  const follow = () => {
    if (document.visibilityState === 'hidden') return stop();
    if (!opened) opened = report(0);
    since ??= performance.now();
  };
  document.addEventListener('visibilitychange', follow);
  addEventListener('pagehide', stop);
  addEventListener('pageshow', follow);
  setInterval(() => {
    stop();
    follow();
  }, LONGEST_MS);
  follow();
}
