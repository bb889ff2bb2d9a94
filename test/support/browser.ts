/**
 * A real browser for tests: Chromium, one a test file, a fresh context (no cookies, nothing kept) for each page. Nobody but this machine is asked
 * for anything. A page on which anything went wrong fails its test, whatever the test looked at.
 */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page, type Response } from 'playwright-core';
import { describeAbsence, findChromium } from '../../scripts/check/chromium.ts';
import { watchPage } from './browser/page-faults.ts';

export interface TestBrowser {
  /** Why tests with it are skipped; false where they run. */
  skip: string | false;
  /** Of the program; empty where there is none. */
  path: string;
  /** Opens a page, hands it to `use`, and closes it. Paths are below `baseURL`. Rejects also if the page was at fault. */
  withPage(options: PageOptions, use: (page: Page) => Promise<void>): Promise<void>;
}

export interface PageOptions extends BrowserContextOptions {
  baseURL: string;
  /** Faults that belong to the test, such as the 404 that it asks for. */
  mayFail?: RegExp[];
}

/** Of one step, on a machine that is ten times slower than ours. */
const PATIENCE_MS = 60_000;
/** The names of this machine only: what a page asks of others fails. */
const NO_NETWORK = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

/** To be called at the top of a test file: the browser starts with the first page and ends after the last test. */
export function openTestBrowser(): TestBrowser {
  const { path, reason } = resolve();
  if (path === null) return { skip: reason, path: '', withPage: () => Promise.reject(new Error(reason)) };
  let started: Promise<Browser> | null = null;
  after(async () => void (await (await started)?.close()));
  return {
    skip: false,
    path,
    async withPage({ mayFail = [], ...options }, use) {
      started ??= launch(path);
      // Motion would have pictures and contrasts depend on the moment.
      const context = await (await started).newContext({ reducedMotion: 'reduce', ...options });
      try {
        context.setDefaultTimeout(PATIENCE_MS);
        const page = await context.newPage();
        const faults = watchPage(page, options.baseURL);
        if (options.javaScriptEnabled !== false) waitForScripts(page);
        await use(page);
        const unexpected = faults.filter((fault) => !mayFail.some((pattern) => pattern.test(fault)));
        assert.deepEqual(unexpected, [], 'what went wrong on the page');
      } finally {
        await context.close();
      }
    },
  };
}

/** The script of a reading page comes after its load event: a test that acts right then would act as a reader without script. */
function waitForScripts(page: Page): void {
  const { goto, reload } = page;
  const wait = async (response: Response | null) => {
    await page.waitForFunction(() => {
      const path = document.querySelector<HTMLElement>('script[data-src]')?.dataset.src;
      return !path || performance.getEntriesByName(new URL(path, location.href).href).length > 0;
    });
    // It is there, and runs in this turn or the next.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 20)));
    return response;
  };
  page.goto = async (...args) => wait(await goto.apply(page, args));
  page.reload = async (...args) => wait(await reload.apply(page, args));
}

/** It ends with this process, since it ends when the pipe between them does. */
function launch(executablePath: string): Promise<Browser> {
  // Chromium refuses to run as root with its sandbox.
  const chromiumSandbox = process.getuid?.() !== 0;
  return chromium.launch({ executablePath, chromiumSandbox, args: [NO_NETWORK], timeout: PATIENCE_MS });
}

function resolve(): { path: string; reason?: never } | { path: null; reason: string } {
  const path = findChromium(process.env);
  if (path !== null) return { path };
  return { path, reason: process.env.CHROMIUM_ABSENT ?? describeAbsence('"npm test" would install one') };
}
