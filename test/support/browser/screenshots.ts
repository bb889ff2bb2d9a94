/** Takes pictures of pages for people to review (`SCREENSHOTS=1`), in `test/.screenshots`. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const FOLDER = fileURLToPath(new URL('../../.screenshots/', import.meta.url));
const WIDTHS = [320, 1280, 2560];

/** Captures the full page at each width and colour scheme, as `<name>-<width>-<scheme>.png`. */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS !== '1') return;
  const before = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width < 600 ? 640 : 900 });
      await page.screenshot({ path: `${FOLDER}${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}
