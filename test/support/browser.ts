/**
 * A real Chromium for tests: one per process, a fresh context per page. Only this machine is
 * reachable. Any fault on a page fails its test.
 */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page, type Response } from 'playwright-core';
import { explainAbsence, findTool } from '../../scripts/check/set-up.ts';
import { watchPage } from './browser/page-faults.ts';

export interface TestBrowser {
  /** The reason why browser tests are skipped; false if they run. */
  skip: string | false;
  /** The path of the program; empty if there is none. */
  path: string;
  /**
   * Opens a page, passes it to `use`, and closes it. Paths are relative to `baseURL`. Rejects as
   * well if the page had a fault.
   */
  withPage(options: PageOptions, use: (page: Page) => Promise<void>): Promise<void>;
}

export interface PageOptions extends BrowserContextOptions {
  baseURL: string;
  /** Expected faults, such as a requested 404. */
  mayFail?: RegExp[];
}

/** The timeout of one step. Long, for a slow or busy machine. */
const STEP_TIMEOUT_MS = 60_000;
/** Resolves only names of this machine, so requests to other hosts fail. */
const LOCAL_NAMES = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

/** The browser of this process, and how many test files with pages have not ended. */
let started: Promise<Browser> | null = null;
let users = 0;

/**
 * Call it at the top of a test file: the browser starts with the first page and ends after the last
 * file of the process.
 */
export function openTestBrowser(): TestBrowser {
  const { path, reason } = resolve();
  if (path === null) return { skip: reason, path: '', withPage: () => Promise.reject(new Error(reason)) };
  users += 1;
  after(async () => {
    users -= 1;
    if (users > 0) return;
    const browser = await started;
    started = null;
    await browser?.close();
  });
  return {
    skip: false,
    path,
    async withPage({ mayFail = [], ...options }, use) {
      started ??= launch(path);
      // Animation would make pictures and contrasts depend on the time.
      const context = await (await started).newContext({ reducedMotion: 'reduce', ...options });
      try {
        context.setDefaultTimeout(STEP_TIMEOUT_MS);
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

/** Makes navigations wait for the script of a public page, which loads after the load event. */
function waitForScripts(page: Page): void {
  const { goto, reload } = page;
  const waitForScript = async (response: Response | null) => {
    await page.waitForFunction(() => {
      const path = document.querySelector<HTMLElement>('script[data-src]')?.dataset.src;
      return !path || performance.getEntriesByName(new URL(path, location.href).href).length > 0;
    });
    // The script is present and runs in this task or the next.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 20)));
    return response;
  };
  page.goto = async (...args) => waitForScript(await goto.apply(page, args));
  page.reload = async (...args) => waitForScript(await reload.apply(page, args));
}

/** Every desktop browser has site isolation, which decides whether Tab stops at a sandboxed frame. */
const ARGS = [LOCAL_NAMES, '--site-per-process'];

/** The browser ends with this process, because the pipe between them closes. */
function launch(executablePath: string): Promise<Browser> {
  // Chromium does not run as root with its sandbox.
  const chromiumSandbox = process.getuid?.() !== 0;
  return chromium.launch({ executablePath, chromiumSandbox, args: ARGS, timeout: STEP_TIMEOUT_MS });
}

function resolve(): { path: string; reason?: never } | { path: null; reason: string } {
  const path = findTool('CHROMIUM_PATH');
  return path === undefined ? { path: null, reason: explainAbsence('CHROMIUM_PATH') } : { path };
}
