/** One attempt at a destination: what is called, in which order, and how each answer is reported. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { createDeliveryActivities } from '../../../activities/delivery/index.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { TIMEOUTS } from '../../../delivery/timeouts.ts';
import type { SendOutcome } from '../../../delivery/types.ts';
import { forem } from '../../../destinations/forem/index.ts';
import type { DestinationClient, Limits, Outcome, RemotePost } from '../../../destinations/types.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { type AddedDelivery, openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
const sealer = createSealer(randomBytes(32));
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const REMOTE: RemotePost = { remoteId: '7', url: 'https://there.example/7', changedAt: null };
const DONE = { kind: 'done', value: REMOTE } as const;
const BUG = 'Courant failed, not the destination. The operator of this site finds the details in the log.';

interface Options {
  client?: Partial<DestinationClient<unknown>>;
  limits?: Partial<Limits>;
  format?: () => Promise<unknown>;
  delivery?: AddedDelivery;
  article?: object;
  author?: string;
  /** Cancels the activity before it calls the destination. */
  isCancelled?: boolean;
}

/** Runs `sendDelivery` for a new article. Returns its outcome and the calls to the destination. */
async function send(expected: string, set: Options = {}) {
  const userId = set.author ?? (await ledger.addAuthor());
  await connectDestination(ledger.db, sealer, {
    ...{ userId, destination: 'blogsite_a', platform: 'forem', baseUrl: 'https://forem.example/api' },
    ...{ credentials: { apiKey: 'a key' }, account: { identity: userId, name: null } },
  });
  const articleId = await ledger.addArticle(userId, { dispatch: 1, title: 'A title', ...set.article });
  const deliveryId = await ledger.addDelivery(articleId, { dueAt: new Date(), ...set.delivery });
  const calls: unknown[][] = [];
  const watch =
    (name: string, answer: (...input: never[]) => unknown) =>
    (...input: unknown[]) => {
      calls.push([name, ...input.map((value) => (value === undefined ? null : value))]);
      return answer(...(input as never[]));
    };
  const base = {
    find: async () => ({ kind: 'done', value: null }),
    create: async () => DONE,
    update: async () => DONE,
  };
  const client = {
    ...base,
    withdraw: async () => ({ kind: 'done', value: null }),
    probe: async () => DONE,
    ...set.client,
  };
  const watched = Object.fromEntries(Object.entries(client).map(([name, call]) => [name, watch(name, call as never)]));
  const adapter = { ...forem, limits: { ...forem.limits, ...set.limits }, createClient: () => watched };
  const format = set.format ?? (async () => ({ payload: 'payload', losses: [], refusal: null }));
  const deps = { db: ledger.db, sealer, formats: { format }, findDestination: () => adapter, now: () => new Date() };
  const rest = { pacing: true, baseUrl: 'https://here.example', httpTimeoutMs: 15_000, lateArrivalMs: 90_000 };
  const { sendDelivery, lookUpDelivery, probeConnection } = createDeliveryActivities({
    ...deps,
    ...rest,
  } as unknown as ActivityDeps);
  const environment = new MockActivityEnvironment();
  if (set.isCancelled) environment.cancel();
  const key = { articleId, destination: 'blogsite_a' } as const;
  const outcome = (await environment.run(sendDelivery, { ...key, expected })) as SendOutcome;
  const names = () => calls.map(([name]) => name);
  const attempts = await ledger.attempts(deliveryId);
  const again = new MockActivityEnvironment();
  return {
    ...{ userId, articleId, deliveryId, calls, names, attempts, outcome },
    lookUp: (attemptId: string | null) => again.run(lookUpDelivery, { ...key, attemptId }),
    probe: () => again.run(probeConnection, key),
  };
}

const LIVE = { copy: { remoteId: '7', contentHash: 'sent', revision: 1 } };

test('a created post is recorded with its attempt', async () => {
  const { outcome, calls, attempts, deliveryId } = await send('create');
  assert.deepEqual(calls, [['create', 'payload']]);
  const [{ id: attemptId = '', dispatch } = {}] = attempts;
  assert.partialDeepStrictEqual(outcome, {
    kind: 'done',
    remote: REMOTE,
    attemptId,
    dispatch,
    recorded: { isCurrent: true },
  });
  const row = await ledger.delivery(deliveryId);
  assert.deepEqual([row.state, row.remoteId, row.remoteUrl], ['delivered', '7', 'https://there.example/7']);
});

test('a create is prepared; the prepared payload is sent', async () => {
  const prepare = async (payload: unknown) => ({ kind: 'done', value: `prepared ${payload}` }) as const;
  const { calls } = await send('create', { client: { prepare } });
  assert.deepEqual(calls, [
    ['prepare', 'payload'],
    ['create', 'prepared payload'],
  ]);
});

for (const [name, set, expected] of [
  [
    'the platform would certainly refuse',
    { format: async () => ({ payload: null, losses: [], refusal: { code: 'too_long', message: 'It is too long.' } }) },
    { kind: 'rejected', code: 'too_long', reason: 'It is too long.' },
  ],
  [
    'that cannot be formatted',
    { format: () => Promise.reject(new Error('a bug')) },
    {
      ...{ kind: 'rejected', code: 'format_failed' },
      reason: 'Courant could not format the article for DEV. This is a bug in Courant: please report it.',
    },
  ],
  [
    'for which no thread is available',
    { format: async () => 'busy' },
    {
      kind: 'unavailable',
      reason: 'Too many large articles are being prepared at once. This one is retried shortly.',
    },
  ],
  [
    'whose preparation was rejected',
    { client: { prepare: async () => ({ kind: 'rejected', code: 'x', reason: 'No.' }) } },
    { kind: 'rejected', code: 'x', reason: 'No.' },
  ],
  [
    'whose preparation has an unknown result',
    { client: { prepare: async () => ({ kind: 'unknown', reason: 'It was cut.' }) } },
    { kind: 'unavailable', reason: 'It was cut.' },
  ],
  [
    'that fails before it is sent',
    { client: { prepare: () => Promise.reject(new Error('a bug')) } },
    { kind: 'unavailable', reason: BUG },
  ],
  ['of a cancelled activity', { isCancelled: true }, { kind: 'changed' }],
] satisfies [string, Options, object][]) {
  test(`an article ${name} is not sent: ${expected.kind}`, async () => {
    const { outcome, names, attempts } = await send('create', set as Options);
    assert.deepEqual([outcome, names().includes('create'), attempts], [expected, false, []]);
  });
}

for (const [answer, expected] of [
  [
    { kind: 'rejected', code: 'taken', reason: 'No.' },
    { kind: 'rejected', code: 'taken', reason: 'No.' },
  ],
  [
    { kind: 'unavailable', reason: 'Busy.' },
    { kind: 'unavailable', reason: 'Busy.' },
  ],
  [
    { kind: 'unknown', reason: 'Cut.' },
    { kind: 'unknown', reason: 'Cut.' },
  ],
  [new Error('secret insides'), { kind: 'unknown', reason: BUG }],
] satisfies [Outcome<RemotePost> | Error, object][]) {
  test(`the answer of a create is stored before it is returned: ${JSON.stringify(expected)}`, async () => {
    const create = async () => {
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const { outcome, attempts } = await send('create', { client: { create } });
    const [attempt] = attempts;
    assert.partialDeepStrictEqual(outcome, { ...expected, attemptId: attempt?.id, dispatch: 1 });
    assert.partialDeepStrictEqual(attempt?.answer, expected);
    assert.equal(attempt?.outcome, null);
  });
}

test('an update names the post and the time since which it must be unchanged; a withdrawal names the post', async () => {
  const updated = await send('update', { delivery: { ...LIVE, handledDispatch: 0 } });
  assert.deepEqual(updated.calls, [['update', '7', 'payload', null]]);
  const withdrawn = await send('withdraw', { delivery: LIVE, article: { status: 'DRAFT', publishedAt: null } });
  assert.deepEqual(withdrawn.names(), ['withdraw']);
  assert.equal(withdrawn.calls[0]?.[1], '7');
  assert.partialDeepStrictEqual(withdrawn.outcome, { kind: 'done', remote: null });
});

test('a withdrawal reports whether the platform deletes posts, and does not depend on the format', async () => {
  const article = { status: 'DRAFT', publishedAt: null };
  const format = async () => ({ payload: null, losses: [], refusal: { code: 'too_long', message: 'No.' } });
  for (const [withdraw, deleted] of [
    ['deleted', true],
    ['unpublished', false],
  ] as const) {
    const { outcome } = await send('withdraw', { delivery: LIVE, article, format, limits: { withdraw } });
    assert.partialDeepStrictEqual(outcome, { kind: 'done', remote: null, deleted });
  }
});

const REPEATABLE = { repeat: { afterMs: 0, withinMs: 60_000 }, canFind: false };

test('a duplicate at a platform that recognises them is rejected, unless it is this article’s post', async () => {
  const own = await send('create', { limits: REPEATABLE });
  assert.equal(own.outcome.kind, 'done');
  const foreign = { ...DONE, value: { ...REMOTE, remoteId: '8', isDuplicate: true } };
  const { outcome } = await send('create', { limits: REPEATABLE, client: { create: async () => foreign as never } });
  assert.partialDeepStrictEqual(outcome, {
    ...{ kind: 'rejected', code: 'duplicate_of_foreign' },
    reason:
      'The destination already has an identical post that Courant did not create: https://there.example/7. Courant did not change it. Delete it there, or change the text and publish again.',
  });
  const other = await send('create', { limits: REPEATABLE, author: own.userId });
  assert.partialDeepStrictEqual(other.outcome, {
    ...{ kind: 'rejected', code: 'duplicate_of_other' },
    reason: 'The destination treats this as a duplicate of another article’s post: https://there.example/7',
  });
  const deleted = { copy: { remoteId: '7', presence: 'deleted', withdrawnAt: new Date() } } as const;
  const again = await send('create', { limits: REPEATABLE, delivery: deleted });
  assert.partialDeepStrictEqual(again.outcome, {
    ...{ kind: 'rejected', code: 'duplicate_of_deleted' },
    reason:
      'The destination still treats “A title” as a duplicate of the deleted post. Publish again in a day or two, or change the text.',
  });
  const unchecked = await send('create', {
    limits: { repeat: null },
    client: { create: async () => foreign as never },
  });
  assert.equal(unchecked.outcome.kind, 'done');
});

test('a look-up ignores the posts of other articles, and one of another attempt proves nothing', async () => {
  const first = await send('create');
  const unknown = async () => ({ kind: 'unknown', reason: 'Cut.' }) as const;
  const second = await send('create', { author: first.userId, client: { create: unknown, find: async () => DONE } });
  const attemptId = second.attempts[0]?.id ?? null;
  assert.deepEqual(await second.lookUp(attemptId), { kind: 'done', value: null });
  const query = second.calls.at(-1)?.[1] as { excludedIds: Set<string> };
  assert.deepEqual(query.excludedIds, new Set(['7']));
  assert.deepEqual(await second.lookUp(null), { kind: 'changed' });
  const found = await send('create', { client: { create: unknown, find: async () => DONE } });
  assert.deepEqual(await found.lookUp(found.attempts[0]?.id ?? null), DONE);
  const none = await send('create', { client: { create: unknown } });
  assert.deepEqual(await none.lookUp(none.attempts[0]?.id ?? null), { kind: 'done', value: null });
  const broken = await send('create', { client: { create: unknown, find: () => Promise.reject(new Error('a bug')) } });
  assert.deepEqual(await broken.lookUp(broken.attempts[0]?.id ?? null), { kind: 'unavailable', reason: BUG });
});

test('a deleted article cannot be looked up; a probe returns only the kind of its answer', async () => {
  const deleted = await send('create');
  assert.deepEqual(await deleted.probe(), { kind: 'done' });
  await ledger.db.deleteFrom('articles').where('id', '=', deleted.articleId).execute();
  const rejected = { kind: 'rejected', code: 'article_deleted', reason: 'The article was deleted.' };
  assert.deepEqual(await deleted.lookUp(null), rejected);
  assert.deepEqual(await deleted.probe(), { kind: 'rejected' });
  const broken = await send('create', { client: { probe: () => Promise.reject(new Error('a bug')) } });
  assert.deepEqual(await broken.probe(), { kind: 'unavailable' });
});

/** Rejects the storage of answers from now on. Returns a function that allows it again. */
async function rejectAnswers(): Promise<() => Promise<unknown>> {
  await sql`create or replace function reject_answer() returns trigger language plpgsql as $$
    begin raise exception 'no space'; end $$`.execute(ledger.db);
  await sql`create trigger reject_answer before update on delivery_attempts for each row
    when (new.answer is not null) execute function reject_answer()`.execute(ledger.db);
  return () => sql`drop trigger reject_answer on delivery_attempts`.execute(ledger.db);
}

test('the storage of an answer is retried', async () => {
  const create = async () => {
    const allow = await rejectAnswers();
    setTimeout(() => void allow(), 100);
    return DONE;
  };
  const { outcome, attempts } = await send('create', { client: { create } });
  assert.partialDeepStrictEqual(outcome, { kind: 'done', remote: REMOTE, recorded: { isCurrent: true } });
  assert.partialDeepStrictEqual(attempts[0]?.answer, { kind: 'done' });
});

test('an answer that cannot be stored is returned; that of a recognised post has an unknown outcome', async (t) => {
  for (const [limits, expected] of [
    [{ repeat: null }, { kind: 'done', remote: REMOTE }],
    [REPEATABLE, { kind: 'unavailable', reason: BUG }],
  ] as const) {
    let allow: () => Promise<unknown> = async () => undefined;
    let passedMs = 0;
    const now = performance.now.bind(performance);
    t.mock.method(performance, 'now', () => now() + passedMs);
    const create = async () => {
      allow = await rejectAnswers();
      setTimeout(() => {
        passedMs = TIMEOUTS.storeAnswerMs;
      }, 20);
      return DONE;
    };
    const { outcome, attempts } = await send('create', { client: { create }, limits });
    t.mock.restoreAll();
    await allow();
    assert.partialDeepStrictEqual(outcome, expected);
    assert.equal('recorded' in outcome, false);
    assert.equal(attempts[0]?.answer, null);
  }
});
