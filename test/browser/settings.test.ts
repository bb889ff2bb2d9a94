/** The settings in a real browser: all pages and their scripts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { SUBJECT_NAMES } from '../../api/web/desk/settings-page.ts';
import { buildSandbox, DEMO_FOREM_KEY, type Sandbox } from '../../sandbox/app.ts';
import { openVisitor, PASSWORD, type Visitor } from '../api/accounts/settings-support.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { checkPage } from '../support/browser/check-page.ts';
import { openTestBrowser } from '../support/browser.ts';

const browser = openTestBrowser();
const { skip } = browser;

let api: TestApi;
let sandbox: Sandbox;
let sandboxUrl: string;
before(async () => {
  if (skip) return;
  api = await startTestApi({ env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
  sandbox = await buildSandbox({ baseUrl: api.baseUrl });
  sandboxUrl = (await sandbox.listen()).url;
});
after(async () => {
  await api?.close();
  await sandbox?.close();
});

function stateOf({ cookies }: Visitor) {
  const { hostname: domain } = new URL(api.baseUrl);
  const cookieList = [...cookies].map(([name, value]) => ({
    ...{ name, value, domain, path: '/', expires: -1, httpOnly: true, secure: false },
    sameSite: 'Lax' as const,
  }));
  return { cookies: cookieList, origins: [] };
}

async function signIn(page: Page, { email }: Visitor): Promise<void> {
  await page.goto('/login?next=/desk/settings/sessions');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('/desk/settings/sessions');
}

test('every settings page, full of hostile texts, passes all page checks at its narrowest and in both schemes', {
  skip,
}, async () => {
  const visitor = await openVisitor(api, 'sees-it-all');
  await fill(visitor);
  await browser.withPage({ baseURL: api.baseUrl, storageState: stateOf(visitor) }, async (page) => {
    const connections = '/desk/settings/connections';
    const paths = [
      ...['', ...SUBJECT_NAMES.map((name) => `/${name}`)].map((path) => `/desk/settings${path}`),
      ...['blogsite_a', 'blogsite_b/new', 'cms_site/new', 'social_feed/new'].map((path) => `${connections}/${path}`),
    ];
    for (const path of paths) {
      assert.equal((await page.goto(path))?.status(), 200, path);
      for (const summary of await page.locator('summary').all()) await summary.click();
      await checkPage(page, path.slice(1).replaceAll('/', '-'));
    }
  });
});

test('a token is created and copied, a sandbox connected, and signing out everywhere ends other sessions', {
  skip,
}, async () => {
  const visitor = await openVisitor(api, 'clicks-along');
  const permissions = ['clipboard-read', 'clipboard-write'];
  await browser.withPage({ baseURL: api.baseUrl, storageState: stateOf(visitor), permissions }, async (page) => {
    await page.goto('/desk/settings/tokens');
    await page.getByLabel('Purpose').fill('my laptop');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'Copy the token' }).click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^courant_[0-9a-f]{48}$/);
    await checkPage(page, 'desk-settings-token-made');

    await page.getByRole('link', { name: 'Connections', exact: true }).click();
    await page.getByRole('link', { name: 'Connect DEV' }).click();
    await page.getByLabel('API key').fill(DEMO_FOREM_KEY);
    await page.getByLabel('Address of another Forem').fill(`${sandboxUrl}/forem/api`);
    await page.getByRole('button', { name: 'Test and connect' }).click();
    await page.getByText('@demo').waitFor();

    // The other page may open its stream again before it is reloaded.
    await browser.withPage({ baseURL: api.baseUrl, mayFail: [/401/] }, async (other) => {
      await signIn(other, visitor);
      await page.getByRole('link', { name: 'Sessions' }).click();
      await page.getByRole('button', { name: 'Sign out everywhere' }).click();
      await page.getByText('You are signed out everywhere.').waitFor();
      await other.reload();
      await other.waitForURL(/\/login\?next=/);
    });
  });
});

test('the time zone of the browser is offered', { skip }, async () => {
  const visitor = await openVisitor(api, 'lives-in-tokyo');
  const options = { baseURL: api.baseUrl, storageState: stateOf(visitor), timezoneId: 'Asia/Tokyo' };
  await browser.withPage(options, async (page) => {
    await page.goto('/desk/settings/digest');
    await page.getByRole('button', { name: 'Use Asia/Tokyo' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Digest settings saved.').waitFor();
    assert.equal(await page.getByLabel('Time zone').inputValue(), 'Asia/Tokyo');
  });
});

/** Fills every list with long, right-to-left and rejected entries. */
async function fill(visitor: Visitor): Promise<void> {
  const long = 'Unbreakable'.repeat(5);
  await visitor.send('/desk/settings/profile', {
    ...{
      name: `${long} מחברת 🙂`,
      bio: `${long}\n${'שלום עולם '.repeat(8)}`,
      pictureUrl: '',
      search: 'yes',
      'ai-input': '',
    },
    ...{ links: `https://example.org/${long.repeat(6)}`, 'ai-train': 'no' },
  });
  for (const [name, lifetime] of [
    [long, ''],
    ['laptop', '30'],
    ['מחשב', '365'],
  ] as const) {
    await visitor.send('/desk/settings/tokens', { form: crypto.randomUUID(), name, lifetime });
  }
  const forem = { platform: 'forem', baseUrl: `${sandboxUrl}/forem/api`, apiKey: DEMO_FOREM_KEY };
  await visitor.send('/desk/settings/connections/blogsite_a/new', forem);
  await api.db
    .updateTable('connections')
    .set({
      ...{ status: 'unauthorised', statusReason: `DEV refuses the key: ${long.repeat(4)}. Connect it again.` },
      blockedUntil: new Date(Date.now() + 3_600_000),
    })
    .where('userId', '=', visitor.userId)
    .execute();
  await visitor.send('/login', { email: visitor.email, password: PASSWORD });
}
