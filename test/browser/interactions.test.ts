/** The scripts for readers: interactions stay on the page, and typed text is never lost. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { register } from '../../api/accounts/sign-in/register.ts';
import { markdown, startTestApi, type TestApi } from '../support/api/api.ts';
import { comment } from '../support/api/comments.ts';
import { checkAccessibility, checkPage } from '../support/browser/check-page.ts';
import { openTestBrowser } from '../support/browser.ts';

const browser = openTestBrowser();
const { skip } = browser;
const PASSWORD = 'a long and lovely one';
/** Appears when the page has loaded the signed-in reader. */
const SIGNED_IN = '.site-account a[href="/desk"]';

let api: TestApi;
before(async () => {
  if (!skip) api = await startTestApi();
});
after(() => api?.close());

async function publish(title: string): Promise<string> {
  const { body } = await api.publish({ content: markdown({ title }) });
  return body.data?.slug ?? '';
}

/** Sets the cookies of a signed-in reader. */
async function signIn(userId: string) {
  const cookie = {
    domain: 'localhost',
    path: '/',
    expires: -1,
    httpOnly: false,
    secure: false,
    sameSite: 'Lax',
  } as const;
  const token = await api.sessions.issue('courant:cookie', userId);
  const cookies = [
    { ...cookie, name: 'courant_session', value: token, httpOnly: true },
    { ...cookie, name: 'courant_signed_in', value: '1' },
  ];
  return { cookies, origins: [] };
}

test('a reader comments without a reload, the author’s badge increases, and the answer is accepted', {
  skip,
}, async () => {
  const slug = await publish('Talked about');
  const reader = await api.createAuthor('second-person');
  const [asReader, asAuthor] = [await signIn(reader.id), await signIn(api.author.id)];
  await browser.withPage({ baseURL: api.baseUrl, storageState: asAuthor }, async (desk) => {
    const streaming = desk.waitForResponse(/desk\/stream/);
    await desk.goto('/desk');
    await streaming;
    const badge = desk.locator('[data-unread]');
    assert.equal(await badge.textContent(), '0');
    await browser.withPage({ baseURL: api.baseUrl, storageState: asReader }, async (page) => {
      await page.goto(`/${slug}`);
      await page.locator(SIGNED_IN).waitFor();
      await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
      await page.getByRole('textbox', { name: 'Your comment' }).fill('This is the *answer*.');
      await page.keyboard.press('Control+Enter');
      await page.locator('.comment .said', { hasText: 'Your comment is posted.' }).waitFor();
      await page.getByRole('heading', { name: '1 comment' }).waitFor();
      assert.equal(await page.getByRole('textbox', { name: 'Your comment' }).inputValue(), '');
      await page.getByRole('button', { name: /^Like/ }).click();
      await page.locator('.reaction[value="like"][aria-pressed="true"] .count', { hasText: '1' }).waitFor();
      await page.getByRole('button', { name: 'Follow' }).click();
      await page.getByRole('button', { name: 'Unfollow' }).waitFor();
      assert.equal(await page.evaluate(() => 'isSamePage' in globalThis), true, 'nothing was loaded anew');
      await page.reload();
      await page.locator('.reaction[value="like"][aria-pressed="true"]').waitFor();
      await page.getByRole('button', { name: 'Unfollow' }).waitFor();
      await page.goto(`/articles/${slug}/viewer`);
      await checkAccessibility(page);
      await page.goto(`/authors/${api.author.username}`);
      await page.getByText('1 follower', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Unfollow' }).click();
      await page.getByText('0 followers').waitFor();
      await page.getByRole('button', { name: 'Follow', exact: true }).click();
      await page.getByText('1 follower', { exact: true }).waitFor();
    });
    await desk.locator('[data-unread]', { hasText: '2' }).waitFor();
    await desk.goto(`/${slug}`);
    await desk.getByRole('link', { name: /^Manage/ }).click();
    await checkAccessibility(desk);
    await desk.getByRole('button', { name: 'Accept as the answer' }).click();
    await desk.getByText('Marked as the accepted answer.').waitFor();
    await desk.getByRole('link', { name: 'Back to the comments' }).click();
    await desk.getByRole('link', { name: 'The accepted answer' }).waitFor();
  });
});

test('headings with ids of page elements and links without a target do not prevent commenting', {
  skip,
}, async () => {
  const body = '## Comments\n\nWords.[^ä]\n\n## Reactions\n\n<a data-footnote-ref href="#%">x</a>\n\n[^ä]: The note.\n';
  const { body: answer } = await api.publish({ content: markdown({ title: 'Named like the page' }, body) });
  const slug = answer.data?.slug;
  const reader = await api.createAuthor('third-person');
  const storageState = await signIn(reader.id);
  await browser.withPage({ baseURL: api.baseUrl, storageState }, async (page) => {
    await page.goto(`/${slug}`);
    await page.locator(SIGNED_IN).waitFor();
    await page.locator('.anchor').first().waitFor({ state: 'attached' });
    await page.locator('a[data-footnote-ref]').first().focus();
    await page.getByRole('tooltip').getByText('The note.').waitFor();
    await page.getByRole('textbox', { name: 'Your comment' }).fill('Seen at once');
    await page.keyboard.press('Control+Enter');
    await page.locator('.comment .said', { hasText: 'Your comment is posted.' }).waitFor();
    // Behind a load balancer, the page may come from an instance that has not received the comment.
    await page.route(`**/${slug}`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<section id="comments"><form class="comment-form"></form></section>',
      }),
    );
    await page.getByRole('textbox', { name: 'Your comment' }).fill('Seen in a moment');
    await page.keyboard.press('Control+Enter');
    await page.locator('#comments .said', { hasText: 'appears here in a moment' }).waitFor();
  });
});

test('typed text survives a reload and a login until it is posted', { skip }, async () => {
  const slug = await publish('Kept words');
  const email = 'typing@example.org';
  const client = { address: '192.0.2.1', userAgent: null };
  await register(api.accounts, client, { username: 'typing', name: 'Typing', email, password: PASSWORD });
  await api.db.updateTable('users').set({ emailConfirmedAt: new Date() }).where('email', '=', email).execute();
  await browser.withPage({ baseURL: api.baseUrl, mayFail: [/401/] }, async (page) => {
    await page.goto(`/${slug}`);
    const box = page.getByRole('textbox', { name: 'Your comment' });
    await box.fill('Words of a reader');
    await page.reload();
    assert.equal(await box.inputValue(), 'Words of a reader');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await checkAccessibility(page);
    await page.getByRole('button', { name: 'Sign in to comment' }).click();
    await page.waitForURL(/#comment-/);
    await page.locator('.comment-body', { hasText: 'Words of a reader' }).waitFor();
    assert.equal(await box.inputValue(), '');
  });
});

test('a page with thirty comments, eight levels deep, passes all page checks in both schemes', {
  skip,
}, async () => {
  const slug = await publish('Much discussed');
  const names = ['Ada', 'x'.repeat(100), 'עדה', '👩‍💻'.repeat(30)];
  const people = await Promise.all(
    names.map(async (name, index) => {
      const { id } = await api.createAuthor(`talker-${index}`);
      await api.db.updateTable('users').set({ name }).where('id', '=', id).execute();
      return id;
    }),
  );
  const bodies = ['Words.', 'x'.repeat(300), 'שלום, world', 'Line\n'.repeat(50)];
  let parentId: string | null = null;
  for (let number = 0; number < 30; number += 1) {
    const written = { slug, userId: people[number % 4] ?? '', body: `${number} ${bodies[number % 4]}` };
    const id = await comment(api.db, { ...written, parentId });
    parentId = number % 8 === 7 ? null : id;
  }
  await browser.withPage({ baseURL: api.baseUrl, viewport: { width: 320, height: 640 } }, async (page) => {
    await page.goto(`/${slug}`);
    assert.equal(await page.locator('.comment').count(), 30);
    await page.locator('.reply summary').nth(6).click();
    await checkPage(page, 'discussion');
  });
});
