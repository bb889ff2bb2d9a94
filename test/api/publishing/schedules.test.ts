import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createArticleActivities } from '../../../activities/article/advance.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { publishDueArticle } from '../../../store/articles/schedules/publish-due.ts';
import { findOrCreateAccount } from '../../../store/connections/accounts.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const HOUR = 3_600_000;
const later = (ms = HOUR) => new Date(Date.now() + ms).toISOString();
const publish = (frontmatter: Record<string, unknown>) => api.publish({ content: markdown(frontmatter) });

let count = 0;
async function publishScheduled(more: Record<string, unknown> = {}) {
  const title = `Scheduled ${++count}`;
  const answer = await publish({ title, scheduled_at: later(), ...more });
  assert.equal(answer.body.data?.status, 'SCHEDULED', JSON.stringify(answer.body));
  return { title, id: answer.body.data?.id ?? '' };
}

const findRow = (id: string) =>
  api.db.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const listNotices = async (id: string) => {
  const { data } = await runGraphql(
    api,
    api.author.id,
    'query ($id: ID!) { article(id: $id) { notices { code message at } } }',
    { id },
  );
  return data.article.notices as { code: string; message: string }[];
};

/** Sets the scheduled time to now. */
async function becomeDue(id: string): Promise<Date> {
  const now = new Date();
  await api.db.updateTable('articles').set({ scheduledAt: now }).where('id', '=', id).execute();
  return now;
}

const runCommand = (name: string, id: string, more = '') =>
  runGraphql(api, api.author.id, `mutation { ${name}(id: "${id}"${more}) { ${more ? 'status' : '__typename'} } }`);

/** Changes that run concurrently with the firing. `check` asserts the result of either order. */
const RACES: Record<
  string,
  {
    change: (article: { title: string; id: string }) => Promise<unknown>;
    check: (fired: boolean, row: Awaited<ReturnType<typeof findRow>>) => void;
  }
> = {
  'made a draft': {
    change: ({ title }) => publish({ title, draft: true }),
    check: (fired, row) => assert.deepEqual([row.status, row.publishedAt !== null], ['DRAFT', fired]),
  },
  'moved to later': {
    change: ({ title }) => publish({ title, scheduled_at: later(2 * HOUR) }),
    check: (fired, row) =>
      assert.deepEqual([row.status, row.scheduledAt !== null], fired ? ['PUBLISHED', false] : ['SCHEDULED', true]),
  },
  'published now': {
    change: ({ title }) => publish({ title }),
    check: (_fired, row) => assert.deepEqual([row.status, row.scheduledAt], ['PUBLISHED', null]),
  },
  'edited and moved': {
    change: ({ title }) =>
      api.publish({ content: markdown({ title, scheduled_at: later(2 * HOUR) }, 'Another text.\n') }),
    check: (fired, row) => {
      assert.equal(row.status, fired ? 'PUBLISHED' : 'SCHEDULED');
      assert.match(row.body, /Another text/);
    },
  },
  'unpublished by command': {
    change: ({ id }) => runCommand('unpublishArticle', id),
    check: (fired, row) => assert.deepEqual([row.status, row.publishedAt !== null], ['DRAFT', fired]),
  },
  'moved by command': {
    change: ({ id }) => runCommand('scheduleArticle', id, `, at: "${later(2 * HOUR)}"`),
    check: (fired, row) => assert.equal(row.status, fired ? 'PUBLISHED' : 'SCHEDULED'),
  },
  'published by command': {
    change: ({ id }) => runCommand('publishArticleNow', id),
    check: (_fired, row) => assert.equal(row.status, 'PUBLISHED'),
  },
};

for (const [what, { change, check }] of Object.entries(RACES)) {
  test(`an article ${what} while its schedule fires: one takes effect first, and neither is lost (F15)`, async () => {
    for (let round = 0; round < 12; round++) {
      const article = await publishScheduled();
      const now = await becomeDue(article.id);
      const fire = async () => {
        // The firing starts 0 to 10 ms after the change, so that either may come first.
        await new Promise((resolve) => setTimeout(resolve, (round % 6) * 2));
        return publishDueArticle(api.db, article.id, now);
      };
      const [fired] = await Promise.all([fire(), change(article)]);
      check(fired, await findRow(article.id));
      const again = await publishDueArticle(api.db, article.id, now);
      assert.equal(again, false);
    }
  });
}

test('a suspended author’s schedule does not fire before the suspension ends', async () => {
  const { id } = await publishScheduled();
  const now = await becomeDue(id);
  const suspend = (suspendedAt: Date | null) =>
    api.db.updateTable('users').set({ suspendedAt }).where('id', '=', api.author.id).execute();
  await suspend(now);
  assert.equal(await publishDueArticle(api.db, id, now), false);
  await suspend(null);
  assert.equal(await publishDueArticle(api.db, id, now), true);
});

test('ten workers that fire a schedule at once make the article public once', async () => {
  const { id } = await publishScheduled();
  const now = await becomeDue(id);
  const fired = await Promise.all(Array.from({ length: 10 }, () => publishDueArticle(api.db, id, now)));
  assert.deepEqual(fired.filter(Boolean).length, 1);
  assert.equal((await findRow(id)).revision, 2);
});

test('an article published again with its schedule after the firing stays public', async () => {
  const { id, title } = await publishScheduled();
  await publishDueArticle(api.db, id, await becomeDue(id));
  const answer = await publish({ title, scheduled_at: later() });
  const message = 'The article is already public and stays public; the future scheduled_at was not applied.';
  const warning = { code: 'already_public', path: 'scheduled_at', message };
  assert.deepEqual([answer.body.data?.status, answer.body.warnings], ['PUBLISHED', [warning]]);
  const { status, scheduledAt } = await findRow(id);
  assert.deepEqual([status, scheduledAt], ['PUBLISHED', null]);
});

test('a schedule waits again after the clock was set back, and fires once (F14)', async () => {
  let clock = Date.now();
  const { id } = await publishScheduled();
  const { advanceArticle } = createArticleActivities({ db: api.db, now: () => new Date(clock) } as ActivityDeps);
  const first = await advanceArticle(id);
  assert.ok(first.kind === 'wait' && first.dueInMs > HOUR - 10_000);
  clock -= 24 * HOUR;
  const setBack = await advanceArticle(id);
  assert.ok(setBack.kind === 'wait' && setBack.dueInMs > 24 * HOUR);
  clock += 26 * HOUR;
  assert.equal((await advanceArticle(id)).kind, 'wake');
  clock -= 26 * HOUR;
  assert.equal((await advanceArticle(id)).kind, 'wake');
  const { status, revision } = await findRow(id);
  assert.deepEqual([status, revision], ['PUBLISHED', 2]);
});

test('a late firing and changed destinations each give one notice', async () => {
  const connection = {
    userId: api.author.id,
    platform: 'forem',
    baseUrl: 'https://forem.example',
  };
  const { id } = await publishScheduled({ cross_post: { blogsite_b: false } });
  for (const destination of ['blogsite_a', 'blogsite_b'] as const) {
    const accountId = await findOrCreateAccount(api.db, {
      ...connection,
      destination,
      account: { identity: destination, name: null },
    });
    const values = { ...connection, destination, accountId, credentialsSealed: Buffer.alloc(1) };
    await api.db.insertInto('connections').values(values).execute();
  }
  const now = new Date((await becomeDue(id)).getTime() + 2.5 * HOUR);
  assert.equal(await publishDueArticle(api.db, id, now), true);
  assert.equal(await publishDueArticle(api.db, id, now), false);
  const notices = await listNotices(id);
  assert.deepEqual(notices.map(({ code }) => code).sort(), ['destinations_changed', 'published_late']);
  assert.match(notices.find(({ code }) => code === 'published_late')?.message ?? '', /2 h 30 min late/);
  assert.match(
    notices.find(({ code }) => code === 'destinations_changed')?.message ?? '',
    /^Scheduled for no destination, published to blogsite_a: the connections have changed since\.$/,
  );
  const { id: other } = await publishScheduled();
  await api.db.deleteFrom('connections').where('destination', '=', 'blogsite_a').execute();
  await publishDueArticle(api.db, other, await becomeDue(other));
  assert.deepEqual(
    (await listNotices(other)).map(({ message }) => message),
    ['Scheduled for blogsite_a, blogsite_b, published to blogsite_b: the connections have changed since.'],
  );
  const onTime = await publishScheduled();
  await publishDueArticle(api.db, onTime.id, await becomeDue(onTime.id));
  assert.deepEqual(await listNotices(onTime.id), []);
  await api.db.deleteFrom('connections').execute();
});

test('the response to a publish has the time in UTC and the zone in which it was set', async () => {
  const answer = await publish({ title: 'With a zone', scheduled_at: '2050-03-01T09:00[Europe/Berlin]' });
  const data = answer.body.data as { scheduledAt?: string; scheduledZone?: string; id: string };
  assert.deepEqual([data.scheduledAt, data.scheduledZone], ['2050-03-01T08:00:00.000Z', 'Europe/Berlin']);
  const query = 'query ($id: ID!) { article(id: $id) { scheduledAt scheduledZone } }';
  const shown = await runGraphql(api, api.author.id, query, { id: data.id });
  assert.deepEqual(shown.data.article, { scheduledAt: '2050-03-01T08:00:00.000Z', scheduledZone: 'Europe/Berlin' });
  await publishDueArticle(api.db, data.id, new Date('2050-03-01T08:00:00Z'));
  const fired = await runGraphql(api, api.author.id, query, { id: data.id });
  assert.deepEqual(fired.data.article, { scheduledAt: null, scheduledZone: null });
  const twice = await publish({ title: 'Twice', scheduled_at: '2050-10-30T02:30[Europe/Berlin]' });
  assert.deepEqual(
    twice.body.warnings?.map(({ code }) => code),
    ['time_ambiguous'],
  );
  const skipped = await publish({ title: 'Skipped', scheduled_at: '2050-03-27T02:30[Europe/Berlin]' });
  assert.equal(skipped.status, 422);
  assert.match(skipped.body.errors?.[0]?.message ?? '', /skips/);
});
