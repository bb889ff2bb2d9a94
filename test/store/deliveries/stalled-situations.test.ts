/**
 * The search for stalled deliveries states in SQL what `delivery/next-step` decides. Both are asked in some thousand situations: what would be
 * acted on has to be found, and what rests must not be woken for ever.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { planDelivery, planStep } from '../../../activities/delivery/plan.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import type { DestinationKey } from '../../../article/types.ts';
import type { Step } from '../../../delivery/types.ts';
import { findDestination } from '../../../destinations/registry.ts';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import { wakeStalled } from '../../../store/deliveries/stalled.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { runs } from '../../support/property-runs.ts';

const SITUATIONS = runs(1_500);
const DISPATCH = 2;
const BASE_URL = 'https://here.example';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const REMOTE = { remoteId: 'r', url: 'https://there.example/r', changedAt: null };
const ANSWERS = {
  none: null,
  done: { kind: 'done', remote: REMOTE },
  unknown: { kind: 'unknown', reason: 'No answer.' },
  rejected: { kind: 'rejected', code: 'invalid', reason: 'No.' },
} as const;

/** Every combination that rows can be in; the comments say which cannot be. */
const situations = fc
  .record({
    status: fc.constantFrom('PUBLISHED', 'PUBLISHED', 'DRAFT', 'SCHEDULED' as const),
    // Mostly nothing: each of them alone ends the matter.
    obstacle: fc.option(fc.constantFrom('unwanted', 'local', 'imported', 'empty', 'blank', 'suspended' as const), {
      freq: 1,
    }),
    connection: fc.constantFrom('active', 'active', 'active', 'unauthorised', 'none' as const),
    destination: fc.constantFrom<DestinationKey>('blogsite_a', 'blogsite_c'),
    hasRow: fc.option(fc.constant(false), { nil: true, freq: 8 }).map((value) => value !== false || value === null),
    state: fc.constantFrom('pending', 'delivering', 'delivered', 'stale', 'failed', 'unknown', 'held' as const),
    copy: fc.constantFrom('none', 'same', 'other', 'withdrawn' as const),
    handled: fc.constantFrom(0, DISPATCH),
    skipped: fc.constantFrom(0, 0, 0, DISPATCH),
    withdrawRequested: fc.constantFrom(false, false, true),
    code: fc.constantFrom(null, 'cannot_withdraw', 'cannot_update' as const),
    attempt: fc.option(
      fc.record({
        action: fc.constantFrom('create', 'update', 'withdraw' as const),
        answer: fc.constantFrom<keyof typeof ANSWERS>('none', 'done', 'unknown', 'rejected'),
      }),
      { freq: 2 },
    ),
  })
  // Connecting releases what is held, in the same transaction.
  .filter(({ state, connection }) => state !== 'held' || connection !== 'active')
  // `delivered` means that a copy is there, and once its publish is answered, that it carries the article.
  .filter(
    ({ state, copy, handled }) => state !== 'delivered' || copy === 'same' || (copy === 'other' && handled < DISPATCH),
  )
  // Only what is there, at a platform that cannot change it, is said to stay as it is.
  .filter(
    ({ code, copy, destination }) => code !== 'cannot_update' || (destination === 'blogsite_c' && copy === 'other'),
  )
  // An update or a withdrawal is of a copy, and a create of none.
  .filter(({ attempt, copy }) => attempt === null || (attempt.action === 'create') === (copy === 'none'));

type Given = typeof situations extends fc.Arbitrary<infer Value> ? Value : never;

test('in every situation, what would be acted on is found, and what rests is not woken for ever', async () => {
  const given = fc.sample(situations, { numRuns: SITUATIONS, seed: 11 });
  const articles = await insertSituations(given);
  const now = new Date();
  const found = await find(now);
  const resting: number[] = [];
  const wrong: string[] = [];
  let acted = 0;
  await forEach(articles, async (articleId, index) => {
    const one = given[index] as Given;
    const step = await decide(articleId, one);
    if (isActing(step) && one.state !== 'held') {
      acted += 1;
      if (!found.has(articleId)) wrong.push(`not found, though ${describe(step)} is due: ${JSON.stringify(one)}`);
    } else if (found.has(articleId) && !isActing(step)) {
      resting.push(index);
      await planStep(DEPS, { articleId, destination: one.destination });
    }
  });
  const again = await find(new Date(now.getTime() + 60 * 60_000));
  for (const index of resting) {
    const articleId = articles[index] ?? '';
    if (!again.has(articleId)) continue;
    const one = given[index] as Given;
    wrong.push(`woken for ever, though ${describe(await decide(articleId, one))}: ${JSON.stringify(one)}`);
  }
  assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} are wrong`);
  assert.ok(
    acted > SITUATIONS / 20 && acted < SITUATIONS,
    `${acted} of them are acted on, ${resting.length} are woken to rest`,
  );
});

const DEPS = {
  ...{ findDestination, baseUrl: BASE_URL, pacing: false, now: () => new Date() },
  ...{ httpTimeoutMs: 1_000, lateArrivalMs: 1_000 },
} as ActivityDeps;

async function find(at: Date): Promise<Set<string>> {
  await sql`truncate outbox`.execute(ledger.db);
  await wakeStalled(ledger.db, { now: at, limit: 100_000 });
  const rows = await ledger.db.selectFrom('outbox').select('articleId').execute();
  return new Set(rows.map(({ articleId }) => articleId ?? ''));
}

async function decide(articleId: string, { destination }: Given): Promise<Step> {
  const plan = await planDelivery(DEPS, { articleId, destination });
  assert.ok(plan);
  return plan.step;
}

const isActing = ({ kind }: Step) => kind !== 'rest';
const describe = (step: Step) => (step.kind === 'rest' ? step.why : step.kind);

async function insertSituations(given: Given[]): Promise<string[]> {
  const { db } = ledger;
  Object.assign(DEPS, { db });
  const authors = await insertAuthors();
  const ago = new Date(Date.now() - 10 * 60_000);
  const rows = given.map((one) => ({ one, articleId: randomUUID(), deliveryId: randomUUID(), ...authors(one) }));
  await insertInPortions(rows, (portion) =>
    db
      .insertInto('articles')
      .values(
        portion.map(({ one: { status, obstacle, destination }, articleId, authorId }) => ({
          id: articleId,
          authorId,
          slug: articleId,
          title: articleId,
          titleKey: articleId,
          canonicalKey: `self:${articleId}`,
          crossPost: JSON.stringify({ [destination]: obstacle !== 'unwanted' }),
          status,
          publishedAt: ago,
          scheduledAt: new Date('2100-01-01'),
          source: '',
          body: obstacle === 'empty' ? '' : obstacle === 'blank' ? '\u00a0\n\u2003' : 'Words.',
          syndicate: obstacle !== 'local',
          imported: obstacle === 'imported',
          derived: '{}',
          fingerprint: Buffer.alloc(1),
          contentHash: '',
          dispatch: DISPATCH,
          dispatchedAt: ago,
        })),
      )
      .execute(),
  );
  const withRow = rows.filter(({ one }) => one.hasRow);
  await insertInPortions(withRow, (portion) =>
    db
      .insertInto('deliveries')
      .values(
        portion.map(({ one, articleId, deliveryId, accountId }) => ({
          id: deliveryId,
          articleId,
          accountId,
          destination: one.destination,
          state: one.state,
          remoteId: one.copy === 'none' ? null : 'r',
          withdrawnAt: one.copy === 'withdrawn' ? ago : null,
          handledDispatch: one.handled,
          skippedDispatch: one.skipped,
          withdrawRequested: one.withdrawRequested,
          lastErrorCode: one.code,
          attempts: 1,
          updatedAt: ago,
        })),
      )
      .execute(),
  );
  const attempts = withRow.flatMap(({ one: { attempt }, ...row }) => (attempt ? [{ attempt, ...row }] : []));
  await insertInPortions(attempts, (portion) =>
    db
      .insertInto('deliveryAttempts')
      .values(
        portion.map(({ attempt: { action, answer }, deliveryId, accountId }) => ({
          ...{ deliveryId, accountId, action, number: 1, dispatch: 1, revision: 1, contentHash: 'sent', lookUp: '{}' },
          startedAt: ago,
          answer: ANSWERS[answer] && JSON.stringify(ANSWERS[answer]),
          answeredAt: ANSWERS[answer] && ago,
        })),
      )
      .execute(),
  );
  const same = withRow.filter(({ one: { copy } }) => copy === 'same');
  await forEach(same, async ({ one, articleId, deliveryId }) => {
    const loaded = await loadDelivery(db, { articleId, destination: one.destination }, BASE_URL);
    const deliveredHash = loaded?.situation.article.hash ?? null;
    await db.updateTable('deliveries').set({ deliveredHash }).where('id', '=', deliveryId).execute();
  });
  return rows.map(({ articleId }) => articleId);
}

const PLATFORMS = { blogsite_a: 'forem', blogsite_c: 'medium' } as const;

/** One for each kind of connection, suspended or not; connected to both, or to none. */
async function insertAuthors() {
  const known = new Map<string, { authorId: string; accountId: string }>();
  const nameOf = (one: Pick<Given, 'connection' | 'destination'>, isSuspended: boolean) =>
    [one.connection, one.destination, isSuspended].join();
  for (const connection of ['active', 'unauthorised', 'none'] as const) {
    for (const isSuspended of [true, false]) {
      const authorId = await ledger.addAuthor();
      const suspendedAt = isSuspended ? new Date() : null;
      await ledger.db.updateTable('users').set({ suspendedAt }).where('id', '=', authorId).execute();
      for (const destination of ['blogsite_a', 'blogsite_c'] as const) {
        const id = await ledger.addConnection(authorId, destination, {
          platform: PLATFORMS[destination],
          status: connection === 'none' ? 'active' : connection,
        });
        const of = ledger.db.selectFrom('connections').select('accountId').where('id', '=', id);
        const { accountId } = await of.executeTakeFirstOrThrow();
        if (connection === 'none') await ledger.db.deleteFrom('connections').where('id', '=', id).execute();
        known.set(nameOf({ connection, destination }, isSuspended), { authorId, accountId });
      }
    }
  }
  return (one: Given) => {
    const author = known.get(nameOf(one, one.obstacle === 'suspended'));
    assert.ok(author);
    return author;
  };
}

async function insertInPortions<T>(rows: T[], insert: (portion: T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += 500) await insert(rows.slice(from, from + 500));
}

/** Ten at a time, as the test has connections. */
async function forEach<T>(rows: T[], run: (row: T, index: number) => Promise<void>): Promise<void> {
  const left = [...rows.entries()];
  const work = async () => {
    for (let next = left.pop(); next; next = left.pop()) await run(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: 10 }, work));
}
