/**
 * A site without articles in a real browser: its front page, `/about`, and the operator's set-up.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { checkPage } from '../support/browser/check-page.ts';
import { registerPerson, signIn } from '../support/browser/sign-in.ts';
import { openTestBrowser } from '../support/browser.ts';

const browser = openTestBrowser();
const { skip } = browser;

let api: TestApi;
before(async () => {
  // Nothing listens there: no workflow is needed.
  if (!skip) api = await startTestApi({ temporal: '127.0.0.1:1' });
});
after(() => api?.close());

test('a visitor of an empty site reads what it is, and creates an account', { skip }, () =>
  browser.withPage({ baseURL: api.baseUrl }, async (page) => {
    await page.goto('/');
    await checkPage(page, 'new-site');
    await page.getByRole('link', { name: 'About this site' }).click();
    await checkPage(page, 'about');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('button', { name: 'Create account' }).waitFor();
  }),
);

test('without script, an operator signs in, completes the first step and sees it done', { skip }, async () => {
  const person = await registerPerson(api, 'hostess');
  await api.db
    .updateTable('users')
    .set({ isOperator: true, emailConfirmedAt: new Date() })
    .where('username', '=', person.username)
    .execute();
  await browser.withPage({ baseURL: api.baseUrl, javaScriptEnabled: false }, async (page) => {
    await signIn(page, person, '/desk');
    await page.getByRole('link', { name: 'Edit your profile' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Hester Host');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.goto('/desk');
    const first = page.locator('.steps li').first();
    assert.equal((await first.textContent())?.trim(), 'DoneSet your name');
    assert.equal(await page.locator('.steps .primary').textContent(), 'Connect');
  });
  await browser.withPage({ baseURL: api.baseUrl }, async (page) => {
    await signIn(page, person, '/desk');
    await checkPage(page, 'set-up');
    await page.goto('/');
    await page.getByRole('link', { name: 'Desk', exact: true }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Create account' }).count(), 0);
    await page.getByRole('link', { name: 'Write' }).waitFor();
  });
});
