/** Collects all faults of a page, one line each. */
import type { Page } from 'playwright-core';

/**
 * The returned list grows while the page is open. Violations of the Content Security Policy appear
 * as console errors.
 */
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
    // The page navigated before the response, as with an event stream.
    if (reason !== 'net::ERR_ABORTED') faults.push(`request: ${request.method()} ${request.url()} (${reason})`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400)
      faults.push(`answer: ${response.status()} to ${response.request().method()} ${response.url()}`);
  });
  return faults;
}
