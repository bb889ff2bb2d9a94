/** Everything that goes wrong on a page, in one line each. */
import type { Page } from 'playwright-core';

/** The list grows as long as the page is open. What the page's policy refuses is among the errors of its console. */
export function watchPage(page: Page, baseUrl: string): readonly string[] {
  const faults: string[] = [];
  const { origin } = new URL(baseUrl);
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const { url, lineNumber } = message.location();
    faults.push(`console: ${message.text()} (${url}:${lineNumber})`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== origin) faults.push(`another origin: ${url.href}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown';
    // The page went on to another before the answer, as with an event stream.
    if (reason !== 'net::ERR_ABORTED') faults.push(`request: ${request.method()} ${request.url()} (${reason})`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400)
      faults.push(`answer: ${response.status()} to ${response.request().method()} ${response.url()}`);
  });
  return faults;
}
