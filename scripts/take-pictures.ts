/**
 * `npm run docs:pictures`: takes the pictures of the README and records its terminal session from a
 * running demo (`npm start` with the same, new COURANT_HOME).
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { explainAbsence, findTool } from './check/set-up.ts';
import type { DemoFile } from './start/demo/demo-file.ts';
import { describeError, StartError } from './start/start-error.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'docs/pictures');
const ARTICLE_VIEWPORT = { width: 1040, height: 800 };
/** All columns of the grid fit without scrolling. */
const DESK_VIEWPORT = { width: 1440, height: 800 };
const MAX_PICTURE_BYTES = 200_000;

/** Of the failed delivery, until somebody retries it. */
const REASON = 'may not publish on the WordPress site';
/** The commands of the README's terminal session. The second article has the failed delivery. */
const SESSION = [
  ['publish', 'examples/first-post.md', '--wait'],
  ['status', 'a-publishing-pipeline-in-git-part-3-merging-is-not-publishing'],
];

type Box = { x: number; y: number; width: number; height: number };

async function takePictures(browser: Browser, { baseUrl, email, password }: DemoFile): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const options = { baseURL: baseUrl, colorScheme, deviceScaleFactor: 2, timezoneId: 'UTC' };
    const context = await browser.newContext({ ...options, viewport: ARTICLE_VIEWPORT });
    const page = await context.newPage();
    await page.goto('/one-file-every-place-you-write', { waitUntil: 'networkidle' });
    const text = await measure(page, '.prose > p:nth-of-type(2)');
    await save(page, `article-${colorScheme}`, {
      x: 0,
      y: 0,
      width: ARTICLE_VIEWPORT.width,
      height: text.y + text.height + 30,
    });

    await page.setViewportSize(DESK_VIEWPORT);
    await page.goto('/login?next=/desk');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(REASON).waitFor();
    const grid = await measure(page, 'main');
    await save(page, `desk-${colorScheme}`, grid);
    await context.close();
  }
}

async function measure(page: Page, selector: string): Promise<Box> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new StartError(`${page.url()} shows no ${selector}.`);
  return box;
}

/** Saves WebP, a third of the size of a PNG. Playwright cannot write WebP. */
async function save(page: Page, name: string, clip: Box): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const options = { format: 'webp', quality: 85, captureBeyondViewport: true } as const;
  const { data } = await session.send('Page.captureScreenshot', { ...options, clip: { ...clip, scale: 1 } });
  const picture = Buffer.from(data, 'base64');
  if (picture.length > MAX_PICTURE_BYTES) throw new StartError(`${name}.webp has ${picture.length} bytes.`);
  writeFileSync(join(FOLDER, `${name}.webp`), picture);
  process.stdout.write(`docs/pictures/${name}.webp, ${(picture.length / 1024).toFixed(0)} KB\n`);
}

/** Runs the commands in a copy of the examples, and writes their output into the README. */
function recordSession({ graphqlUrl, baseUrl, sandboxUrl, email, password }: DemoFile): void {
  const cwd = mkdtempSync(join(tmpdir(), 'courant-session-'));
  const run = (args: readonly string[], input = ''): string => {
    const env = { ...process.env, HOME: cwd, COURANT_ENDPOINT: graphqlUrl };
    const program = [join(ROOT, 'cli/bin/courant.js'), ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd, env, input, encoding: 'utf8' });
    if (status !== 0) throw new StartError(`courant ${args.join(' ')} ended with exit code ${status}: ${stderr}`);
    const output = stdout.replaceAll(baseUrl, 'http://localhost:3000').replaceAll(sandboxUrl, 'http://127.0.0.1:4010');
    return `$ npx courant ${args.join(' ')}\n${output}`;
  };
  try {
    cpSync(join(ROOT, 'examples'), join(cwd, 'examples'), { recursive: true });
    run(['login', '--email', email, '--password-stdin'], `${password}\n`);
    const session = SESSION.map((args) => run(args)).join('\n');
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const recorded = readme.replace(/(?<=<!-- session -->\n```text\n)[^`]*/, () => session);
    writeFileSync(join(ROOT, 'README.md'), recorded);
    process.stdout.write('README.md, terminal session\n');
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

try {
  const executablePath = findTool('CHROMIUM_PATH');
  if (!executablePath) throw new StartError(explainAbsence('CHROMIUM_PATH'));
  const file = join(process.env.COURANT_HOME || '.courant', 'demo.json');
  if (!existsSync(file)) throw new StartError(`There is no ${file}: run "npm start" in another terminal first.`);
  const demo = JSON.parse(readFileSync(file, 'utf8')) as DemoFile;
  // Chromium does not run as root with its sandbox.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  await takePictures(browser, demo).finally(() => browser.close());
  recordSession(demo);
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}
