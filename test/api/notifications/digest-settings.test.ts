/** Digest settings over GraphQL. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

let api: TestApi;
before(async () => {
  api = await startTestApi({ now: () => NOW });
});
after(() => api.close());

interface Answer {
  data: Record<string, Record<string, unknown> | null> | null;
  errors?: { message: string; extensions?: { code?: string; errors?: { path: string }[] } }[];
}

async function runGraphql(author: TestAuthor | null, query: string): Promise<Answer> {
  const session = author && (await api.sessions.issue('courant:session', author.id));
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(session ? { authorization: `Bearer ${session}` } : {}) },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as Answer;
}

const FIELDS = 'frequency weekday hour zone sendEmpty nextDueAt stoppedAt stoppedReason';
const set = (author: TestAuthor | null, input: string) =>
  runGraphql(author, `mutation { setDigestSettings(input: ${input}) { ${FIELDS} } }`);

test('changing some digest settings keeps the others', async () => {
  const first = await runGraphql(api.author, `{ digestSettings { ${FIELDS} } }`);
  assert.equal(first.data?.digestSettings?.frequency, 'WEEKLY');
  const { data } = await set(api.author, '{ frequency: DAILY, hour: 7, zone: "europe/lisbon", weekday: null }');
  const expected = {
    frequency: 'DAILY',
    weekday: 1,
    hour: 7,
    zone: 'Europe/Lisbon',
    sendEmpty: false,
    nextDueAt: '2026-11-22T07:00:00.000Z',
    stoppedAt: null,
    stoppedReason: null,
  };
  assert.deepEqual(data?.setDigestSettings, expected);
  assert.deepEqual((await runGraphql(api.author, `{ digestSettings { ${FIELDS} } }`)).data?.digestSettings, expected);
});

test('settings of a rejected address show when and why the digest stopped, and any change restarts it', async () => {
  const author = await api.createAuthor('bounced');
  await api.db
    .updateTable('digestSettings')
    .set({ nextDueAt: null, stoppedAt: NOW, stoppedReason: '550 no such mailbox' })
    .where('userId', '=', author.id)
    .execute();
  const { data } = await runGraphql(author, '{ digestSettings { nextDueAt stoppedAt stoppedReason } }');
  assert.deepEqual(data?.digestSettings, {
    nextDueAt: null,
    stoppedAt: NOW.toISOString(),
    stoppedReason: '550 no such mailbox',
  });
  const again = await set(author, '{}');
  assert.equal(again.data?.setDigestSettings?.stoppedAt, null);
  assert.equal(again.data?.setDigestSettings?.nextDueAt, '2026-11-23T08:00:00.000Z');
});

test('invalid zones and times are rejected with every invalid field', async () => {
  const { errors } = await set(api.author, '{ hour: 25, weekday: 0, zone: "Mars/Olympus" }');
  assert.equal(errors?.[0]?.extensions?.code, 'BAD_INPUT');
  assert.deepEqual(errors?.[0]?.extensions?.errors?.map(({ path }) => path).sort(), ['hour', 'weekday', 'zone']);
  assert.ok((await set(api.author, '{ frequency: hourly }')).errors);
});

test('each frequency is stored, and a digest can be sent without news', async () => {
  const author = await api.createAuthor('every-frequency');
  for (const frequency of ['MONTHLY', 'DAILY', 'WEEKLY', 'OFF']) {
    const { data } = await set(author, `{ frequency: ${frequency}, sendEmpty: true, weekday: 7, hour: 0 }`);
    const { nextDueAt, ...settings } = data?.setDigestSettings ?? {};
    const expected = {
      frequency,
      weekday: 7,
      hour: 0,
      zone: 'UTC',
      sendEmpty: true,
      stoppedAt: null,
      stoppedReason: null,
    };
    assert.deepEqual(settings, expected);
    assert.equal(nextDueAt === null, frequency === 'OFF');
  }
});

test('the settings of an account that was deleted meanwhile cannot be changed', async () => {
  const author = await api.createAuthor('deleted-meanwhile');
  await api.db.deleteFrom('digestSettings').where('userId', '=', author.id).execute();
  const { errors } = await set(author, '{ hour: 7 }');
  const [{ message, extensions } = { message: '' }] = errors ?? [];
  assert.deepEqual([extensions?.code, message], ['UNAUTHENTICATED', 'This account no longer exists.']);
});

test('signed-in authors can read and change only their own settings', async () => {
  assert.equal((await runGraphql(null, '{ digestSettings { hour } }')).data?.digestSettings, null);
  assert.equal((await set(null, '{ hour: 3 }')).errors?.[0]?.extensions?.code, 'UNAUTHENTICATED');
  const [one, other] = [await api.createAuthor('one'), await api.createAuthor('other')];
  await set(one, '{ frequency: OFF }');
  assert.equal((await runGraphql(other, '{ digestSettings { frequency } }')).data?.digestSettings?.frequency, 'WEEKLY');
});
