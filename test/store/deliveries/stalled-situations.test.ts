/**
 * Compares the search for stalled deliveries, which uses `due_at`, with `delivery/next-step` in
 * hundreds of situations: it must find every step, and must not wake resting deliveries
 * repeatedly.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describeDecision, planDelivery, planStep } from '../../../activities/delivery/plan.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import type { DestinationKey } from '../../../article/types.ts';
import { nextPresence, readCopyAnswer } from '../../../delivery/presence.ts';
import type { Step } from '../../../delivery/types.ts';
import { findDestination } from '../../../destinations/clients.ts';
import { recordOutcome } from '../../../store/attempts/record-outcome.ts';
import { wakeStalled } from '../../../store/deliveries/stalled.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { runs } from '../../support/property-runs.ts';

const SITUATIONS = runs(800);
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

/** All possible combinations of rows; the filters exclude the impossible ones. */
const situations = fc
  .record({
    status: fc.constantFrom('PUBLISHED', 'PUBLISHED', 'DRAFT', 'SCHEDULED' as const),
    // Mostly none, because each obstacle alone prevents a delivery.
    obstacle: fc.option(fc.constantFrom('unwanted', 'local', 'imported', 'empty', 'blank', 'suspended' as const), {
      freq: 1,
    }),
    connection: fc.constantFrom('active', 'active', 'active', 'unauthorised', 'none' as const),
    destination: fc.constantFrom<DestinationKey>('blogsite_a', 'blogsite_c'),
    copy: fc.constantFrom('absent', 'same', 'other', 'hidden', 'deleted' as const),
    handled: fc.constantFrom(0, DISPATCH),
    skipped: fc.constantFrom(0, 0, 0, DISPATCH),
    withdrawRequested: fc.constantFrom(false, false, true),
    /** Error code of the last ended attempt. */
    failedWith: fc.constantFrom(null, null, 'invalid', 'cannot_withdraw', 'cannot_update' as const),
    attempt: fc.option(
      fc.record({
        action: fc.constantFrom('create', 'update', 'withdraw' as const),
        answer: fc.constantFrom<keyof typeof ANSWERS>('none', 'done', 'unknown', 'rejected'),
      }),
      { freq: 2 },
    ),
  })
  // `cannot_update` requires an outdated copy at a platform that cannot update.
  .filter(
    ({ failedWith, copy, destination }) =>
      failedWith !== 'cannot_update' || (destination === 'blogsite_c' && copy === 'other'),
  )
  // An update or a withdrawal requires a copy, a create requires none.
  .filter(
    ({ attempt, copy }) =>
      attempt === null || (attempt.action === 'create') === (copy === 'absent' || copy === 'deleted'),
  );

type Sample = typeof situations extends fc.Arbitrary<infer Value> ? Value : never;

test('the search finds a delivery in every situation with a due step and does not wake resting deliveries repeatedly', async () => {
  const samples = fc.sample(situations, { numRuns: SITUATIONS, seed: 11 });
  const articles = await insertSituations(samples);
  const wrong: string[] = [];
  const counts = { acting: 0, held: 0, resting: 0, refused: 0 };
  const found = await find();
  await forEach(articles, async (articleId, index) => {
    const one = samples[index] as Sample;
    const step = await decide(articleId, one);
    if (isActing(step)) {
      counts.acting += 1;
      if (!found.has(articleId) && canBeWoken(one)) wrong.push(`not found: ${describe(step)} ${JSON.stringify(one)}`);
    } else {
      await planStep(DEPS, { articleId, destination: one.destination, retry: null });
      const again = await decide(articleId, one);
      counts[step.staysDue ? 'held' : 'resting'] += 1;
      if (isActing(again) || again.staysDue !== step.staysDue) wrong.push(`${describe(again)}: ${JSON.stringify(one)}`);
    }
  });
  // A connection or the end of a suspension makes held deliveries findable.
  await ledger.db.updateTable('connections').set({ status: 'active' }).execute();
  await ledger.db.updateTable('users').set({ suspendedAt: null }).execute();
  const released = await find();
  await forEach(articles, async (articleId, index) => {
    const one = samples[index] as Sample;
    const step = await decide(articleId, one);
    const isOwed = one.connection !== 'none' && isActing(step);
    if (isOwed && !released.has(articleId)) wrong.push(`not released: ${describe(step)} ${JSON.stringify(one)}`);
    if (!isOwed && released.has(articleId))
      await planStep(DEPS, { articleId, destination: one.destination, retry: null });
    // A stored answer ends the dispatch that it was sent for, possibly an earlier one.
    if (!isOwed || step.kind === 'conclude') return;
    counts.refused += 1;
    await refuse(articleId, one);
    const after = await decide(articleId, one);
    if (isActing(after)) wrong.push(`acts after its end: ${describe(after)} ${JSON.stringify(one)}`);
  });
  const afterEnds = await find();
  await forEach(articles, async (articleId, index) => {
    const one = samples[index] as Sample;
    const step = await decide(articleId, one);
    const isOwed = one.connection !== 'none' && isActing(step);
    if (afterEnds.has(articleId) !== isOwed) wrong.push(`after the ends: ${describe(step)} ${JSON.stringify(one)}`);
  });
  assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} are wrong`);
  for (const [what, count] of Object.entries(counts)) assert.ok(count > SITUATIONS / 20, `${what}: ${count}`);
});

const canBeWoken = ({ connection, obstacle, status, withdrawRequested }: Sample) =>
  connection === 'active' && (obstacle !== 'suspended' || status !== 'PUBLISHED' || withdrawRequested);

const DEPS = {
  ...{ findDestination, baseUrl: BASE_URL, pacing: false, now: () => new Date() },
  ...{ httpTimeoutMs: 1_000, lateArrivalMs: 1_000 },
} as ActivityDeps;

async function find(): Promise<Set<string>> {
  await sql`truncate outbox`.execute(ledger.db);
  await wakeStalled(ledger.db, { now: new Date(), limit: 100_000 });
  const rows = await ledger.db.selectFrom('outbox').select('articleId').where('destination', 'is', null).execute();
  const scheduled = await ledger.db.selectFrom('articles').select('id').where('scheduledAt', '<', new Date()).execute();
  assert.deepEqual(scheduled, []);
  return new Set(rows.map(({ articleId }) => articleId ?? ''));
}

async function plan(articleId: string, { destination }: Sample) {
  const planned = await planDelivery(DEPS, { articleId, destination });
  assert.ok(planned);
  return planned;
}

const decide = async (articleId: string, one: Sample) => (await plan(articleId, one)).step;

/** Ends the delivery permanently: failed, or unknown for a create of unknown outcome. */
async function refuse(articleId: string, one: Sample): Promise<void> {
  const planned = await plan(articleId, one);
  const { inFlight } = planned.situation.delivery;
  const state = inFlight?.action === 'create' && planned.step.kind === 'reconcile' ? 'unknown' : 'failed';
  const ending = { kind: 'failed', state, code: 'invalid', reason: 'No.' } as const;
  const attemptId = inFlight?.id ?? randomUUID();
  assert.ok(
    await recordOutcome(ledger.db, { ...describeDecision(planned), attemptId, outcome: ending }),
    JSON.stringify(one),
  );
}

const isActing = (step: Step) => step.kind !== 'rest';
const describe = (step: Step) => (step.kind === 'rest' ? step.reason : step.kind);

async function insertSituations(samples: Sample[]): Promise<string[]> {
  const { db } = ledger;
  Object.assign(DEPS, { db });
  const authors = await insertAuthors();
  const ago = new Date(Date.now() - 10 * 60_000);
  const rows = samples.map((one) => ({
    ...{ one, articleId: randomUUID(), deliveryId: randomUUID(), copyId: randomUUID() },
    ...authors(one),
  }));
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
        })),
      )
      .execute(),
  );
  // Deletes the rows of the trigger: each situation inserts its own.
  await db.deleteFrom('deliveries').execute();
  await insertInPortions(rows, (portion) =>
    db
      .insertInto('deliveries')
      .values(
        portion.map(({ one, articleId, deliveryId }) => ({
          ...{
            id: deliveryId,
            articleId,
            destination: one.destination,
            dueAt: ago,
            withdrawRequested: one.withdrawRequested,
          },
          ...{ handledDispatch: one.handled, skippedDispatch: one.skipped },
        })),
      )
      .execute(),
  );
  const copied = rows.filter(({ one: { copy, attempt } }) => copy !== 'absent' || attempt !== null);
  const hashes = new Map<string, string>();
  await forEach(rows, async ({ one, articleId }) => {
    hashes.set(articleId, (await plan(articleId, one)).situation.article.hash);
  });
  await insertInPortions(copied, (portion) =>
    db
      .insertInto('copies')
      .values(
        portion.map(({ one, articleId, accountId, copyId }) => {
          const presence = findPresence(one);
          const remoteId =
            presence === 'absent' || (presence === 'uncertain' && one.copy === 'absent') ? null : articleId;
          const contentHash = one.attempt ? null : one.copy === 'same' ? (hashes.get(articleId) ?? null) : 'other';
          return { id: copyId, articleId, accountId, presence, remoteId, contentHash };
        }),
      )
      .execute(),
  );
  const attempts = rows.flatMap(({ one: { attempt, failedWith, handled }, deliveryId, accountId, copyId }) => {
    const sent = { deliveryId, accountId, contentHash: 'sent', lookUp: '{}', revision: 1 };
    const answer = attempt && ANSWERS[attempt.answer];
    const answered = { answer: answer && JSON.stringify(answer), answeredAt: answer && ago };
    const open = { ...sent, ...answered, dispatch: 1, startedAt: ago, copyId };
    const ended = { outcome: 'failed', endedAt: ago, startedAt: new Date(ago.getTime() - 60_000) } as const;
    const dispatch = Math.max(handled, 1);
    return [
      ...(attempt ? [{ ...open, action: attempt.action }] : []),
      ...(failedWith ? [{ ...sent, ...ended, action: 'update' as const, dispatch, code: failedWith }] : []),
    ];
  });
  for (const attempt of attempts) await db.insertInto('deliveryAttempts').values(attempt).execute();
  return rows.map(({ articleId }) => articleId);
}

/** The presence after the mark and the answer of the open attempt. */
function findPresence({ copy, attempt }: Sample) {
  const before = copy === 'same' || copy === 'other' ? 'live' : copy;
  if (attempt === null) return before;
  // A create after a deletion has a new copy.
  const marked = nextPresence(before === 'deleted' ? 'absent' : before, attempt.action, 'open');
  const answer = ANSWERS[attempt.answer];
  return answer ? nextPresence(marked, attempt.action, readCopyAnswer(answer)) : marked;
}

const PLATFORMS = { blogsite_a: 'forem', blogsite_c: 'medium' } as const;

/**
 * One author per kind of connection, suspended or not; connected to both destinations or to none.
 */
async function insertAuthors() {
  const known = new Map<string, { authorId: string; accountId: string }>();
  const nameOf = (one: Pick<Sample, 'connection' | 'destination'>, isSuspended: boolean) =>
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
  return (one: Sample) => {
    const author = known.get(nameOf(one, one.obstacle === 'suspended'));
    assert.ok(author);
    return author;
  };
}

async function insertInPortions<T>(rows: T[], insert: (portion: T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += 500) await insert(rows.slice(from, from + 500));
}

/** Ten at a time, the number of database connections. */
async function forEach<T>(rows: T[], run: (row: T, index: number) => Promise<void>): Promise<void> {
  const remaining = [...rows.entries()];
  const work = async () => {
    for (let next = remaining.pop(); next; next = remaining.pop()) await run(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: 10 }, work));
}
