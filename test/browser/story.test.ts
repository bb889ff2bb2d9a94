/**
 * The complete path of an author with real parts: browser, API, worker, destinations, mail and
 * command line.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { DEMO_FOREM_KEY } from '../../sandbox/app.ts';
import { type CliHome, createCliHome } from '../cli/cli-home.ts';
import { startWorldOfAccounts } from '../support/api/accounts.ts';
import { markdown } from '../support/api/api.ts';
import { type Person, registerPerson, signIn } from '../support/browser/sign-in.ts';
import { openTestBrowser } from '../support/browser.ts';
import type { DeliveryWorld } from '../support/delivery/delivery.ts';
import { eventually } from '../support/eventually.ts';

const browser = openTestBrowser();
const { skip } = browser;

let world: DeliveryWorld;
let cli: CliHome;
before(async () => {
  if (skip) return;
  world = await startWorldOfAccounts({ mail: true });
  cli = await createCliHome();
});
after(async () => {
  await cli?.remove();
  await world?.close();
});

test(
  'an author registers, connects, publishes, sees the deliveries, fixes a failure, gets a comment, and leaves',
  { skip },
  () =>
    browser.withPage({ baseURL: world.api.baseUrl, timezoneId: 'Asia/Tokyo' }, async (page) => {
      await registerAndConfirm(page);
      await connect(page);
      const token = await makeToken(page);
      await watchDeliveries(page, token);
      await schedule(page, token);
      await answer(page);
      await changeDigest(page);
      await leave(page);
    }),
);

test('without script, a reader signs in, comments, and publishes', { skip }, async () => {
  const person = await addPerson('without-script');
  const { body } = await world.api.publish({ content: markdown({ title: 'Read without script' }) });
  const options = { baseURL: world.api.baseUrl, javaScriptEnabled: false };
  await browser.withPage(options, async (page) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Read without script' }).first().click();
    await page.getByText('A first paragraph.').waitFor();

    await signIn(page, person, `/${body.data?.slug}`);
    await page.getByRole('textbox', { name: 'Your comment' }).fill('Written *without* script.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('.comment-body em', { hasText: 'without' }).waitFor();

    await page.goto('/desk/write');
    await page.getByLabel(/^Markdown, with its frontmatter/).fill(markdown({ title: 'Published without script' }));
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL(/\/desk\/articles\//);
    await page.goto('/');
    await page.getByRole('link', { name: 'Published without script' }).first().waitFor();
  });
});

async function registerAndConfirm(page: Page): Promise<void> {
  await page.goto('/register?next=/desk');
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('E-mail address').fill('ada@example.org');
  await page.getByLabel('Password').fill('a long and lovely one');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Open the link in the mail to ada@example.org').waitFor();
  const mail = page.getByRole('link', { name: /Confirm your address/ });
  const isThere = async () => (await page.goto('/dev/mails')) && (await mail.count()) > 0;
  await eventually('the mail', isThere, { withinMs: 60_000 });
  await mail.click();
  const text = (await page.locator('pre').first().textContent()) ?? '';
  await page.goto(/http\S+\/account\/confirm-email\?\S+/.exec(text)?.[0] ?? '');
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
  await page.getByRole('link', { name: 'Open the desk' }).click();
  await page.waitForURL(/\/desk$/);
}

async function connect(page: Page): Promise<void> {
  await page.goto('/desk/settings/connections');
  await page.getByRole('link', { name: 'Connect DEV' }).click();
  await page.getByLabel('API key').fill(DEMO_FOREM_KEY);
  await page.getByLabel('Address of another Forem').fill(`${world.sandboxUrl}/forem/api`);
  await page.getByRole('button', { name: 'Test and connect' }).click();
  await page.getByText('@demo').waitFor();
}

async function makeToken(page: Page): Promise<string> {
  await page.goto('/desk/settings/tokens');
  await page.getByLabel('Purpose').fill('my laptop');
  await page.getByRole('button', { name: 'Create token' }).click();
  const token = (await page.locator('.made-token [data-copy]').textContent()) ?? '';
  assert.match(token, /^courant_/);
  return token;
}

/** Publishes with the command line, beside the browser. */
async function publish(token: string, frontmatter: Record<string, unknown>): Promise<void> {
  const file = await cli.write('post.md', markdown(frontmatter));
  const flags = ['--endpoint', world.api.baseUrl];
  const { code, stderr } = await cli.run(['publish', file, ...flags], { env: { SERVICE_TOKEN: token } });
  assert.equal(code, 0, stderr);
}

async function watchDeliveries(page: Page, token: string): Promise<void> {
  await page.goto('/desk');
  await page.evaluate('window.isSamePage = true');
  const row = (name: string) => page.getByRole('row', { name });
  await publish(token, { title: 'Arrives at once', cross_post: { blogsite_a: true } });
  await row('Arrives at once').locator('.state.good', { hasText: 'delivered' }).waitFor();

  const body = { error: 'Not today', status: 403 };
  await world.faults([{ platform: 'blogsite_a', action: 'create', times: 1, status: 403, body }]);
  await publish(token, { title: 'Arrives later', cross_post: { blogsite_a: true } });
  await row('Arrives later').locator('.state.bad', { hasText: 'failed' }).waitFor();
  await row('Arrives later').getByText('Not today').waitFor();
  await row('Arrives later').getByRole('button', { name: 'Retry' }).click();
  await row('Arrives later').locator('.state.good', { hasText: 'delivered' }).waitFor();
  assert.equal(await page.evaluate('window.isSamePage'), true, 'it was not loaded again');
  for (const title of ['Arrives at once', 'Arrives later']) assert.equal((await world.log(title)).length, 1, title);
}

async function schedule(page: Page, token: string): Promise<void> {
  await publish(token, { title: 'For another day', published: false });
  await page.goto('/desk?state=drafts');
  const row = page.getByRole('row', { name: 'For another day' });
  await row.locator('summary').click();
  await row.getByRole('link', { name: 'Schedule' }).click();
  for (const [at, button, message] of [
    ['2090-07-01T09:00', 'Schedule', '1 Jul 2090, 09:00 Asia/Tokyo'],
    ['2090-08-01T10:00', 'Reschedule', '1 Aug 2090, 10:00 Asia/Tokyo'],
  ] as const) {
    await page.getByLabel('Public from').fill(at);
    await page.getByLabel('Time zone').fill('Asia/Tokyo');
    await page.getByRole('button', { name: button }).click();
    await page.getByText(message).waitFor();
  }
  await page.getByRole('button', { name: 'Cancel the schedule' }).click();
  await page.getByText('The article is now a draft.').waitFor();
}

/** A second person comments in another browser while the author has the desk open. */
async function answer(page: Page): Promise<void> {
  const person = await addPerson('second-person');
  await page.goto('/desk/notifications');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByText('All read').waitFor();
  const streaming = page.waitForResponse(/desk\/stream/);
  await page.goto('/desk');
  await streaming;
  await browser.withPage({ baseURL: world.api.baseUrl }, async (other) => {
    await signIn(other, person);
    await other.getByRole('link', { name: 'Arrives at once' }).first().click();
    await other.getByRole('textbox', { name: 'Your comment' }).fill('This is the answer.');
    await other.getByRole('button', { name: 'Comment', exact: true }).click();
    await other.locator('.comment-body', { hasText: 'This is the answer.' }).waitFor();
  });
  await page.locator('[data-unread]', { hasText: /^1$/ }).waitFor();
  await page.goto('/desk/notifications');
  await page.getByRole('link', { name: /^View/ }).first().click();
  await page.getByRole('link', { name: /^Manage/ }).click();
  await page.getByRole('button', { name: 'Accept as the answer' }).click();
  await page.getByText('Marked as the accepted answer.').waitFor();
}

async function changeDigest(page: Page): Promise<void> {
  await page.goto('/desk/settings/digest');
  await page.getByLabel('Frequency').selectOption('Every day');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Digest settings saved.').waitFor();
  assert.equal(await page.getByLabel('Frequency').inputValue(), 'daily');
}

async function leave(page: Page): Promise<void> {
  await page.goto('/desk/settings/sessions');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByText('You are signed out everywhere.').waitFor();
  await page.goto('/desk');
  await page.waitForURL(/\/login\?next=/);
}

async function addPerson(username: string): Promise<Person> {
  const person = await registerPerson(world.api, username);
  const now = new Date();
  await world.api.db.updateTable('users').set({ emailConfirmedAt: now }).where('username', '=', username).execute();
  return person;
}
