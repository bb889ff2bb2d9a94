/** Measures what the load of a page costs its reader. */
import type { Page } from 'playwright-core';

export function waitUntilDrawn(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** Counts transferred bytes except pictures, script bytes before compression, and layout shifts. */
export function measureLoad(page: Page) {
  return page.evaluate(measureInPage);
}

async function measureInPage() {
  const shifts = await new Promise<number[]>((resolve) => {
    const seen: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.push((entry as unknown as { value: number }).value);
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    // Earlier entries are reported in the next task, and layout shifts by the picture in the next
    // frames.
    setTimeout(() => resolve(seen), 500);
  });
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const loaded = (entries as PerformanceResourceTiming[]).filter((entry) => entry.initiatorType !== 'img');
  const inlined = [...document.querySelectorAll('script:not([src], [type$="json"])')];
  const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);
  const linked = loaded.filter((entry) => entry.initiatorType === 'script');
  return {
    bytes: sum(loaded.map((entry) => entry.transferSize)),
    scriptBytes: sum([
      ...inlined.map(({ textContent }) => new Blob([textContent ?? '']).size),
      ...linked.map((entry) => entry.decodedBodySize),
    ]),
    shifts,
  };
}
