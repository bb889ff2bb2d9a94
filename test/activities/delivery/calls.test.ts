/** One attempt at a destination: what is called, in which order, and how each answer is reported. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Outcome, RemotePost } from '../../../destinations/types.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { BUG, type Options, REMOTE, sendTo } from './support/send.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const send = (expected: string, set: Options = {}) => sendTo(ledger, expected, set);

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
    { client: { prepare: async () => ({ kind: 'rejected', code: 'refused', reason: 'No.' }) } },
    { kind: 'rejected', code: 'refused', reason: 'No.' },
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
    { kind: 'rejected', code: 'canonical_taken', reason: 'No.' },
    { kind: 'rejected', code: 'canonical_taken', reason: 'No.' },
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
