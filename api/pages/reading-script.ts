/**
 * The one script of an article's page: it reports that the page was opened, and for how long it was seen (docs/interactions.md). No cookie, and
 * nothing is kept in the browser. A page that is loaded ahead of time is reported once somebody sees it.
 */
import { createHash } from 'node:crypto';
import { type Html, html, trustHtml } from './html.ts';

/** Often enough that no report is longer than one may be; on phones a page may be ended without a word. */
const SCRIPT = `(() => {
  const to = document.currentScript.dataset.readings;
  const report = (seconds) => navigator.sendBeacon(to, JSON.stringify({ seconds, referrer: document.referrer }));
  let opened = false;
  let since = null;
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
  setInterval(() => (stop(), follow()), 300000);
  follow();
})()`;

/** Of a Content-Security-Policy: this script, to the letter, may run, and may report to this site. */
export const READING_SCRIPT_POLICY = `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'; connect-src 'self'`;

/** The address is relative to the page, so that it is of the page's origin by whatever name the site is reached. */
export function renderReadingScript(slug: string): Html {
  return html`<script data-readings="api/v1/articles/${encodeURIComponent(slug)}/readings">${trustHtml(SCRIPT)}</script>`;
}
