/**
 * Checks every page: axe reports nothing in either colour scheme, nothing overflows at 320 pixels,
 * and keyboard focus is visible.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { takeScreenshots } from './screenshots.ts';

/** `name` is the prefix of its screenshots. */
export async function checkPage(page: Page, name: string): Promise<void> {
  await checkAccessibility(page);
  await checkNarrow(page);
  await checkKeyboard(page);
  await takeScreenshots(page, name);
}

/** Minified, so that a page compiles it in half of the time. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The default rules of axe, and one more. */
const ALL_RULES: axe.RunOptions = { rules: { 'target-size': { enabled: true } } };
const COLOUR_RULES: axe.RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** Runs the rules in the light scheme. In the dark scheme only colours differ. */
export async function checkAccessibility(page: Page): Promise<void> {
  await page.evaluate(AXE);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // The colours of the other scheme apply after the next frame.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    // Waits until colour transitions have ended.
    await page.evaluate(() => {
      // Animations that follow the scroll position never end.
      const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      return Promise.allSettled(transitions.map(({ finished }) => finished));
    });
    const { violations } = await page.evaluate(
      (rules) => (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'], ...rules }),
      colorScheme === 'light' ? ALL_RULES : COLOUR_RULES,
    );
    const found = violations.flatMap(({ id, help, helpUrl, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary}\n  ${helpUrl}`),
    );
    assert.equal(found.length, 0, `${page.url()}, ${colorScheme}:\n${found.join('\n')}`);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Checks that nothing makes the page scroll sideways on the narrowest screen. */
async function checkNarrow(page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  const overflowing = await page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    // The text of an element can overflow although its box fits.
    const elements = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return Math.max(right, left + element.scrollWidth) > clientWidth;
    });
    return [`${scrollWidth} pixels`, ...elements.map((element) => element.outerHTML.slice(0, 120))];
  });
  assert.deepEqual(overflowing, [], `${page.url()} is wider than 320 pixels`);
  if (before) await page.setViewportSize(before);
}

/** Each read is a round trip to the page. */
const TABS_PER_READ = 8;
interface Recording {
  recording: { reached: number; invisible: string[]; isComplete: boolean };
}

/** Runs in the page: records each element that receives the focus, until one does again. */
function recordFocus(): void {
  const recording: Recording['recording'] = { reached: 0, invisible: [], isComplete: false };
  const seen = new Set<EventTarget | null>();
  (window as unknown as Recording).recording = recording;
  document.addEventListener('focusin', ({ target }) => {
    recording.isComplete ||= seen.has(target);
    if (recording.isComplete || !(target instanceof Element)) return;
    seen.add(target);
    recording.reached += 1;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(target);
    const { width, height } = target.getBoundingClientRect();
    const isMarked = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    if (!isMarked || width === 0 || height === 0) recording.invisible.push(target.outerHTML.slice(0, 120));
  });
}

/** Checks that Tab reaches every control, and that each shows its focus. */
async function checkKeyboard(page: Page): Promise<void> {
  await page.evaluate(recordFocus);
  for (let before = 0; ; ) {
    for (let n = 0; n < TABS_PER_READ; n++) await page.keyboard.press('Tab');
    const { reached, invisible, isComplete } = await page.evaluate(() => (window as unknown as Recording).recording);
    assert.deepEqual(invisible, [], `${page.url()}: the focus is not visible`);
    assert.notEqual(reached, 0, `${page.url()}: the keyboard reaches nothing`);
    if (isComplete || reached === before) break;
    before = reached;
  }
}
