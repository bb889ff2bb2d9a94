/**
 * Reports page views of an article and their visible time (docs/guide/readers.md). Uses no cookie
 * and stores nothing in the browser. A prerendered page is reported when it becomes visible.
 */

/** No report may exceed this time. Phones may also end a page without an event. */
const MAX_REPORT_MS = 300_000;

export function reportPageViews(): void {
  const path = document.querySelector<HTMLElement>('[data-readings]')?.dataset.readings;
  if (path === undefined) return;
  const report = (seconds: number) =>
    navigator.sendBeacon(path, JSON.stringify({ seconds, referrer: document.referrer }));
  let isOpenReported = false;
  let visibleSince: number | null = null;
  const stop = () => {
    if (visibleSince === null) return;
    const seconds = Math.round((performance.now() - visibleSince) / 1000);
    visibleSince = null;
    if (seconds > 0) report(seconds);
  };
  const follow = () => {
    if (document.visibilityState === 'hidden') return stop();
    if (!isOpenReported) isOpenReported = report(0);
    visibleSince ??= performance.now();
  };
  document.addEventListener('visibilitychange', follow);
  addEventListener('pagehide', stop);
  addEventListener('pageshow', follow);
  setInterval(() => {
    stop();
    follow();
  }, MAX_REPORT_MS);
  follow();
}
