/**
 * `npm run docs:pictures`: takes the pictures of the README and records its terminal session from a
 * running demo (`npm start` with the same COURANT_HOME). First publishes three articles of the demo
 * author, one of which a destination rejects. Can be repeated.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { openDatabase } from '../store/db/database.ts';
import { explainAbsence, findTool } from './check/set-up.ts';
import type { DemoFile } from './start/demo/demo-file.ts';
import { awaitDeliveries, publishArticle } from './start/demo/first-publish.ts';
import { describeError, StartError } from './start/start-error.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'docs/pictures');
const ARTICLE_VIEWPORT = { width: 1040, height: 800 };
/** All columns of the grid fit without scrolling. */
const DESK_VIEWPORT = { width: 1440, height: 800 };
const MAX_PICTURE_BYTES = 200_000;
const DELIVERY_TIMEOUT_MS = 60_000;

/** The destinations of each example, by article id. */
const DESTINATIONS: Record<string, string[]> = {
  'pipeline-1': ['blogsite_a', 'blogsite_b', 'blogsite_c', 'cms_site'],
  'pipeline-2': ['blogsite_a', 'blogsite_b', 'cms_site', 'social_feed'],
  'pipeline-3': ['blogsite_a', 'blogsite_b', 'cms_site'],
};
/** DEV rejects the third part, as if the author had already posted that article there. */
const REFUSED = 'pipeline-3';
const FAULT = {
  ...{ platform: 'blogsite_a', action: 'create', times: 1, status: 422 },
  body: { error: 'Validation failed: Canonical url has already been taken', status: 422 },
};
const REASON = 'An article with this canonical URL is already published';
/** The commands of the README's terminal session. The second article has the failed delivery. */
const SESSION = [
  ['publish', 'examples/first-post.md', '--wait'],
  ['status', 'a-publishing-pipeline-in-git-part-3-merging-is-not-publishing'],
];

type Box = { x: number; y: number; width: number; height: number };

async function publishExamples({ databaseUrl, baseUrl, sandboxUrl, token, username }: DemoFile): Promise<void> {
  const db = openDatabase(databaseUrl);
  const setFaults = (faults: unknown[]) =>
    fetch(`${sandboxUrl}/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    });
  try {
    for (const [externalId, destinations] of Object.entries(DESTINATIONS)) {
      const { source } = await db
        .selectFrom('articles')
        .innerJoin('users', 'users.id', 'articles.authorId')
        .select('articles.source')
        .where('users.username', '=', username)
        .where('articles.externalId', '=', externalId)
        .executeTakeFirstOrThrow(
          () => new StartError(`The demo has no article ${externalId}: start with a new COURANT_HOME.`),
        );
      const choice = `cross_post: {${destinations.map((key) => `${key}: true`).join(', ')}}\n`;
      const content = source.includes(choice) ? source : source.replace('---\n', `---\n${choice}`);
      await setFaults(externalId === REFUSED ? [FAULT] : []);
      const aborted = AbortSignal.timeout(DELIVERY_TIMEOUT_MS);
      const { id } = await publishArticle(baseUrl, token, { content }, aborted);
      const printLine = (line: string) => process.stdout.write(`${line}\n`);
      await awaitDeliveries(db, id, { timeoutMs: DELIVERY_TIMEOUT_MS, print: printLine, aborted });
    }
  } finally {
    await setFaults([]);
    await db.destroy();
  }
}

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
function recordSession({ graphqlUrl, baseUrl, email, password }: DemoFile): void {
  const cwd = mkdtempSync(join(tmpdir(), 'courant-session-'));
  const run = (args: readonly string[], input = ''): string => {
    const env = { ...process.env, HOME: cwd, COURANT_ENDPOINT: graphqlUrl };
    const program = [join(ROOT, 'cli/bin/courant.js'), ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd, env, input, encoding: 'utf8' });
    if (status !== 0) throw new StartError(`courant ${args.join(' ')} ended with exit code ${status}: ${stderr}`);
    return `$ npx courant ${args.join(' ')}\n${stdout.replaceAll(baseUrl, 'http://localhost:3000')}`;
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
  await publishExamples(demo);
  // Chromium does not run as root with its sandbox.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  await takePictures(browser, demo).finally(() => browser.close());
  recordSession(demo);
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}
