/** The browser script that reports page views. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { buildSync } from 'esbuild';
import { explainAbsence, findTool } from '../../../scripts/check/set-up.ts';
import { listPageViews } from '../../../store/page-views/list-page-views.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

async function openArticle(title: string) {
  const { body } = await api.publish({ content: markdown({ title }, '<script>alert(1)</script>\n\nWords.\n') });
  const slug = body.data?.slug ?? '';
  const response = await fetch(`${api.url}/${slug}`);
  return { slug, page: await response.text(), policy: response.headers.get('content-security-policy') ?? '' };
}

test('an article page reports page views, and its policy allows only the script of the site', async () => {
  const { slug, page, policy } = await openArticle('Read');
  const [, to = ''] = /<article[^>]* data-readings="([^"]*)"/.exec(page) ?? [];
  assert.equal(new URL(to, `${api.url}/${slug}`).href, `${api.url}/api/v1/articles/${slug}/readings`);
  assert.match(policy, /^default-src 'none';/);
  assert.match(policy, /; connect-src 'self';/);
  for (const path of [`/${slug}`, '/', `/authors/${api.author.username}`, '/nothing-here']) {
    const response = await fetch(api.url + path);
    const scripts = [
      ...(await response.text()).matchAll(/<script(?! type="application\/ld\+json")[^>]*>(.*?)<\/script>/gs),
    ];
    assert.equal(scripts.length, 1, path);
    const hash = createHash('sha256')
      .update(scripts[0]?.[1] ?? '')
      .digest('base64');
    const allowed = response.headers.get('content-security-policy')?.match(/script-src [^;]*/g);
    assert.deepEqual(allowed, [`script-src 'sha256-${hash}' 'strict-dynamic'`], path);
  }
});

const script = buildSync({
  stdin: {
    contents: "import { reportPageViews } from './browser/site/report-page-views.ts'; reportPageViews();",
    resolveDir: fileURLToPath(new URL('../../..', import.meta.url)),
  },
  bundle: true,
  write: false,
}).outputFiles[0]?.text;

/** A page in a simulated browser. The test controls its clock and visibility. */
function openPage(visibilityState: 'visible' | 'hidden') {
  const reports: { seconds: number; referrer: string }[] = [];
  const listeners = new Map<string, () => void>();
  const addEventListener = (name: string, listener: () => void) => void listeners.set(name, listener);
  let now = 5_000;
  let tick = () => undefined as unknown;
  const document = {
    querySelector: () => ({ dataset: { readings: 'to' } }),
    referrer: 'https://news.example/',
    visibilityState: visibilityState as string,
    addEventListener,
  };
  runInNewContext(script ?? '', {
    document,
    addEventListener,
    performance: { now: () => now },
    navigator: { sendBeacon: (_to: string, body: string) => reports.push(JSON.parse(body)) > 0 },
    setInterval: (callback: () => unknown) => {
      tick = callback;
    },
  });
  return {
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
    show: (state: 'visible' | 'hidden') => {
      document.visibilityState = state;
      listeners.get('visibilitychange')?.();
    },
    fire: (name: string) => listeners.get(name)?.(),
    tick: () => tick(),
    takeSeconds: () => reports.splice(0).map(({ seconds }) => seconds),
    reports,
  };
}

test('a view is reported at once, and the visible time is reported once', () => {
  const page = openPage('visible');
  assert.deepEqual(page.reports, [{ seconds: 0, referrer: 'https://news.example/' }]);
  page.takeSeconds();
  page.pass(42);
  page.show('hidden');
  page.pass(3_600);
  page.show('visible');
  page.pass(8);
  page.fire('pagehide');
  page.show('hidden');
  assert.deepEqual(page.takeSeconds(), [42, 8]);
  // The page returns from the back/forward cache.
  page.show('visible');
  page.fire('pageshow');
  page.pass(5);
  page.tick();
  page.pass(7);
  page.fire('pagehide');
  assert.deepEqual(page.takeSeconds(), [5, 7]);
});

test('a page that was never visible is not a view', () => {
  const page = openPage('hidden');
  page.pass(10);
  page.fire('pagehide');
  assert.deepEqual(page.takeSeconds(), []);
  page.show('visible');
  assert.deepEqual(page.takeSeconds(), [0]);
});

const CHROMIUM = findTool('CHROMIUM_PATH');

test('a browser that opens an article is counted under the content security policy', {
  skip: !CHROMIUM && explainAbsence('CHROMIUM_PATH'),
}, async () => {
  const { slug } = await openArticle('In a browser');
  const profile = await mkdtemp(join(tmpdir(), 'courant-browser-'));
  const userAgent =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    // The script runs a moment after the page loads.
    '--virtual-time-budget=5000',
    '--disable-dev-shm-usage',
    `--user-data-dir=${profile}`,
  ];
  const more = [`--user-agent=${userAgent}`, '--dump-dom', `${api.url}/${slug}`];
  await promisify(execFile)(CHROMIUM ?? '', [...flags, ...more], { timeout: 120_000 });
  await eventually(
    'a view',
    async () => {
      const [day] = await listPageViews(api.db, { authorId: api.author.id, slug, days: 1 });
      return day?.views === 1;
    },
    { withinMs: 60_000 },
  );
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
});
