/**
 * Posts on a WordPress site that belong to no article are not adopted, changed or withdrawn,
 * whatever the ledger contains.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Outcome } from '../../../destinations/types.ts';
import { wordpress } from '../../../destinations/wordpress/index.ts';
import { expectDone, makeArticle } from '../destination-harness.ts';
import { type Newsroom, type Person, startNewsroom } from './newsroom.ts';

const draftArticle = () => makeArticle({ coverImage: null });
type Article = ReturnType<typeof draftArticle>;
const buildPayload = (article: Article) => wordpress.format(article).payload;

async function writeByHand(site: Newsroom, person: Person, post: object): Promise<string> {
  const body = { title: 'By hand', content: '<p>By hand.</p>', status: 'publish', ...post };
  const { id } = await site.request<{ id: number }>(person, 'POST', '/posts', body);
  return String(id);
}

/** The stored post, as an editor reads it. */
const readRaw = (site: Newsroom, id: string) =>
  site.request<{ status: string }>('eve', 'GET', `/posts/${id}?context=edit`);

async function assertUntouched(
  context: TestContext,
  { as, prepare, code }: { as: Person; prepare: (site: Newsroom, article: Article) => Promise<string>; code: string },
): Promise<void> {
  const site = await startNewsroom(context);
  const article = draftArticle();
  const remoteId = await prepare(site, article);
  const [before, log] = [await readRaw(site, remoteId), await site.log()];
  const client = site.open(as);
  const endings: Outcome<unknown>[] = [
    await client.update(remoteId, buildPayload(article)),
    await client.withdraw(remoteId, article),
    await client.withdraw(remoteId),
  ];
  for (const outcome of endings) {
    assert.equal(outcome.kind === 'rejected' ? outcome.code : outcome.kind, code, JSON.stringify(outcome));
  }
  assert.deepEqual(await readRaw(site, remoteId), before);
  assert.deepEqual(await site.log(), log);
}

describe('changing', () => {
  test('an editor’s credential changes no post of another author, although the site allows it (F27)', (context) =>
    assertUntouched(context, { as: 'eve', code: 'remote_not_ours', prepare: (site) => writeByHand(site, 'ben', {}) }));

  test('a post of another author with the same slug is not this article’s', (context) =>
    assertUntouched(context, {
      as: 'eve',
      code: 'remote_not_ours',
      prepare: (site, { slug }) => writeByHand(site, 'ben', { slug }),
    }));

  test('another author’s post that an author may not change is refused by the site itself', (context) =>
    assertUntouched(context, { as: 'ann', code: 'forbidden', prepare: (site) => writeByHand(site, 'ben', {}) }));

  test('another account’s post of another article is not changed, although we created it (F27)', (context) =>
    assertUntouched(context, {
      as: 'eve',
      code: 'remote_not_ours',
      prepare: async (site) => expectDone(await site.open('ben').create(buildPayload(draftArticle()))).remoteId,
    }));

  test('a post written by hand with the number of a lost post is not changed', async (context) => {
    const site = await startNewsroom(context);
    const remoteId = await writeByHand(site, 'ann', {});
    const article = draftArticle();
    const outcomes = [
      await site.open('ann').update(remoteId, buildPayload(article)),
      await site.open('ann').withdraw(remoteId, article),
    ];
    for (const outcome of outcomes) {
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_not_ours', JSON.stringify(outcome));
    }
    assert.equal((await readRaw(site, remoteId)).status, 'publish');
  });

  test('every change of a picture’s number reports it as gone', async (context) => {
    const site = await startNewsroom(context);
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const authorization = `Basic ${btoa('ann:sandbox app pass word')}`;
    const headers = {
      authorization,
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="a.png"',
    };
    const answer = await fetch(`${site.url}/wordpress/wp-json/wp/v2/media`, { method: 'POST', headers, body: png });
    const remoteId = String(((await answer.json()) as { id: number }).id);
    for (const outcome of [
      await site.open('ann').update(remoteId, buildPayload(draftArticle())),
      await site.open('ann').withdraw(remoteId),
    ]) {
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone', JSON.stringify(outcome));
    }
  });

  test('our own post is still changed if its line was removed by hand or its canonical URL has changed', async (context) => {
    const site = await startNewsroom(context);
    const article = draftArticle();
    const { remoteId } = expectDone(await site.open('ann').create(buildPayload(article)));
    await site.request('ann', 'POST', `/posts/${remoteId}`, { content: '<p>Without the line.</p>' });
    expectDone(await site.open('ann').update(remoteId, buildPayload(article)));
    const moved = { ...article, slug: 'moved', canonicalUrl: 'https://blog.example.com/moved' };
    expectDone(await site.open('ann').update(remoteId, buildPayload(moved)));
    expectDone(await site.open('ann').withdraw(remoteId, moved));
  });

  test('our post is still changed after an editor changed its author, because it names this article', async (context) => {
    const site = await startNewsroom(context);
    const article = draftArticle();
    const { remoteId } = expectDone(await site.open('ben').create(buildPayload(article)));
    expectDone(await site.open('eve').update(remoteId, buildPayload(article)));
    expectDone(await site.open('eve').withdraw(remoteId, article));
    assert.equal((await readRaw(site, remoteId)).status, 'draft');
  });
});

describe('finding', () => {
  test('a post of another account with the same canonical URL is not adopted (F27)', async (context) => {
    const site = await startNewsroom(context);
    const article = draftArticle();
    const theirs = expectDone(await site.open('ben').create(buildPayload(article)));
    assert.equal(expectDone(await site.open('eve').find(article)), null);
    const ours = expectDone(await site.open('eve').create(buildPayload(article)));
    assert.equal(expectDone(await site.open('eve').find(article))?.remoteId, ours.remoteId);
    assert.equal(expectDone(await site.open('ben').find(article))?.remoteId, theirs.remoteId);
  });

  test('a post written by hand with our slug and our title is not adopted', async (context) => {
    const site = await startNewsroom(context);
    const article = draftArticle();
    await writeByHand(site, 'ann', {
      slug: article.slug,
      title: article.title,
      content: `<p>See <a href="${article.canonicalUrl}">${article.canonicalUrl}</a></p>`,
    });
    assert.equal(expectDone(await site.open('ann').find(article)), null);
  });

  test('two articles with one canonical URL each find their own post', async (context) => {
    const site = await startNewsroom(context);
    const client = site.open('ann');
    const first = draftArticle();
    const second = { ...first, slug: 'the-second' };
    const one = expectDone(await client.create(buildPayload(first)));
    assert.equal(expectDone(await client.find({ ...second, excludedIds: new Set([one.remoteId]) })), null);
    const two = expectDone(await client.create(buildPayload(second)));
    assert.equal(expectDone(await client.find(first))?.remoteId, one.remoteId);
    assert.equal(expectDone(await client.find(second))?.remoteId, two.remoteId);
    assert.equal(
      expectDone(await client.find({ ...first, excludedIds: new Set([two.remoteId]) }))?.remoteId,
      one.remoteId,
    );
    assert.equal(
      expectDone(await client.find({ ...first, excludedIds: new Set([one.remoteId]) }))?.remoteId,
      two.remoteId,
    );
  });
});
