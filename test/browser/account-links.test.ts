/** The pages behind the links in mails, in a real browser. */
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { LinkPurpose } from '../../store/db/types.ts';
import { createLink, signLink } from '../../store/mail-links/links.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { checkPage } from '../support/browser/check-page.ts';
import { openTestBrowser } from '../support/browser.ts';

const browser = openTestBrowser();
const { skip } = browser;

let api: TestApi;
before(async () => {
  if (!skip) api = await startTestApi();
});
after(() => api?.close());

const PATHS = { confirm_email: '/account/confirm-email', reset_password: '/account/reset-password' };

async function mail(
  purpose: keyof typeof PATHS & LinkPurpose,
  { id: userId, username }: { id: string; username: string },
) {
  const [id, email, now] = [randomUUID(), `${username}@example.org`, new Date()];
  const expiresAt = new Date(now.getTime() + 3_600_000);
  await createLink(api.db, { id, purpose, userId, subscriberId: null, email, expiresAt, now });
  const token = signLink(api.accounts.linkKey, { id, purpose, subjectId: userId, email });
  return `${PATHS[purpose]}?token=${token}`;
}

async function createUnconfirmed(username: string) {
  const author = await api.createAuthor(username);
  await api.db.updateTable('users').set({ emailConfirmedAt: null }).where('id', '=', author.id).execute();
  return author;
}

test('the page after a confirmation links to the desk', { skip }, async () => {
  const author = await createUnconfirmed('confirms');
  await browser.withPage({ baseURL: api.baseUrl }, async (page) => {
    await page.goto(await mail('confirm_email', author));
    await page.getByText('@confirms').waitFor();
    await checkPage(page, 'confirm-email');
    await page.getByRole('button', { name: 'Confirm this address' }).click();
    await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
    await checkPage(page, 'confirm-email-done');
    await page.getByRole('link', { name: 'Open the desk' }).click();
    await page.waitForURL(/\/login\?next=%2Fdesk$/);
  });
});

test('a reset page rejects a weak password and has a checkbox to keep developer tokens', { skip }, async () => {
  const author = await api.createAuthor('resets');
  await browser.withPage({ baseURL: api.baseUrl, mayFail: [/\b422\b/] }, async (page) => {
    await page.goto(await mail('reset_password', author));
    await page.getByLabel('New password').fill('password1');
    await page.getByRole('button', { name: 'Set this password' }).click();
    await page.getByText('This password is too common').waitFor();
    await checkPage(page, 'reset-password');
    await page.getByLabel('New password').fill('a long and lovely phrase');
    await page.getByLabel('Don’t revoke my developer token').check();
    await page.getByRole('button', { name: 'Set this password' }).click();
    await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
    await checkPage(page, 'reset-password-done');
    await page.getByRole('link', { name: 'Sign in' }).last().click();
    await page.waitForURL(/\/login/);
  });
});

test('the reset page of an unconfirmed account states what is deleted', { skip }, async () => {
  const author = await createUnconfirmed('taken');
  await browser.withPage({ baseURL: api.baseUrl }, async (page) => {
    await page.goto(await mail('reset_password', author));
    await page.getByText('A new password deletes everything in it').waitFor();
    await checkPage(page, 'reset-password-unconfirmed');
  });
});
