/**
 * Tests with random connections and interruptions that each post is recorded once, at its account.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { connectDestination } from '../../../store/connections/connect.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { listCopiesOfArticles } from '../../../store/copies/copies.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { runs } from '../../support/property-runs.ts';
import { createSimulatedWorker, type Interruption } from './simulated-worker.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const sealer = createSealer(randomBytes(32));
const destination = 'cms_site';

type Action =
  | { kind: 'connect'; account: 'A' | 'B' | 'C' }
  | { kind: 'disconnect' | 'publish' | 'unpublish' | 'late' }
  | { kind: 'work'; cut: Interruption };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('connect' as const), account: fc.constantFrom('A', 'B', 'C') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('disconnect', 'publish', 'publish', 'unpublish', 'late') }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('work' as const),
      cut: fc.constantFrom<Interruption>(
        'none',
        'none',
        'none',
        'unsent',
        'unanswered',
        'unrecorded',
        'unknown',
        'refused',
      ),
    }),
  },
);

/**
 * A withdrawn post is published again by an answered update without a recorded ending: it is live.
 */
const RESTORED: Action[] = [
  { kind: 'connect', account: 'A' },
  { kind: 'work', cut: 'none' },
  { kind: 'unpublish' },
  { kind: 'work', cut: 'none' },
  { kind: 'publish' },
  { kind: 'work', cut: 'unrecorded' },
];

/**
 * As `RESTORED`, but the update has an unknown outcome and the article is unpublished: withdrawn
 * again.
 */
const buildUncertain = (cut: 'unanswered' | 'unknown'): Action[] => [
  ...RESTORED.slice(0, -1),
  { kind: 'work', cut },
  { kind: 'unpublish' },
  { kind: 'work', cut: 'none' },
];

/**
 * A withdrawal is answered after a new publish and a change of account: the answer changes nothing.
 */
const LATE_WITHDRAWAL: Action[] = [
  { kind: 'connect', account: 'A' },
  { kind: 'work', cut: 'none' },
  { kind: 'unpublish' },
  { kind: 'work', cut: 'unanswered' },
  { kind: 'publish' },
  { kind: 'work', cut: 'none' },
  { kind: 'connect', account: 'C' },
  { kind: 'late' },
];

async function setUp() {
  const userId = await ledger.addAuthor();
  const crossPost = JSON.stringify({ [destination]: true });
  const articleId = await ledger.addArticle(userId, { crossPost, dispatch: 1, createdAt: new Date(0) });
  const worker = createSimulatedWorker(ledger, articleId);
  const { db } = ledger;
  const change = (status: 'PUBLISHED' | 'DRAFT') =>
    db
      .updateTable('articles')
      .set((eb) => ({ status, dispatch: eb('dispatch', '+', 1), revision: eb('revision', '+', 1) }))
      .where('id', '=', articleId)
      .execute();
  const connect = (name: string) => {
    const account = { identity: name, name };
    const place = { platform: 'wordpress', baseUrl: `https://${name}.example/wp-json`, credentials: {} };
    return connectDestination(db, sealer, { userId, destination, ...place, account });
  };
  return {
    worker,
    userId,
    articleId,
    connect,
    async run(step: Action): Promise<void> {
      if (step.kind === 'work') await worker.work(step.cut);
      else if (step.kind === 'connect') await connect(step.account);
      else if (step.kind === 'disconnect') await disconnectDestination(db, userId, destination);
      else if (step.kind === 'publish') await change('PUBLISHED');
      else if (step.kind === 'unpublish') await change('DRAFT');
      else await worker.answerLate();
    },
  };
}

type World = Awaited<ReturnType<typeof setUp>>;

async function check({ worker: { posts }, userId, articleId }: World): Promise<void> {
  const { db } = ledger;
  const name = ({ accountId, remoteId }: { accountId: string | null; remoteId: string | null }) =>
    `${accountId} ${remoteId}`;
  const standing = posts.map(name);
  assert.deepEqual(standing, [...new Set(posts.map(({ accountId }) => `${accountId} 105`))], 'one post an account');
  const rows = await db.selectFrom('copies').selectAll().where('articleId', '=', articleId).execute();
  const known = rows.filter(({ remoteId }) => remoteId !== null).map(name);
  for (const one of known) assert.ok(standing.includes(one), `${one} belongs to its account`);
  const sought = new Set(rows.filter(({ presence }) => presence === 'uncertain').map(({ accountId }) => accountId));
  for (const post of posts) {
    assert.ok(known.includes(name(post)) || sought.has(post.accountId), `${name(post)} is not forgotten`);
  }
  const current = rows.filter(({ isCurrent }) => isCurrent).map(({ accountId }) => accountId);
  assert.equal(new Set(current).size, current.length, 'at most one is current at an account');
  const copies = await listCopiesOfArticles(db, { authorId: userId, articleIds: [articleId] });
  const names = copies.map(({ isUncertain, account, url }) => (isUncertain ? `perhaps at ${account}` : url));
  assert.equal(new Set(names).size, names.length);
  const accounts = await db.selectFrom('accounts').select(['id', 'name']).where('userId', '=', userId).execute();
  for (const { isLive, url, accountId } of posts) {
    const perhaps = `perhaps at ${accounts.find(({ id }) => id === accountId)?.name}`;
    if (isLive) assert.ok(names.includes(url) || names.includes(perhaps), `${url} is named`);
  }
}

test('each post is recorded at the account of its delivery, and none is missing or listed twice (F27)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
      const world = await setUp();
      for (const step of actions) {
        await world.run(step);
        await check(world);
      }
      // A returning account gets the current state of the article.
      for (const account of ['A', 'B', 'C']) {
        await world.connect(account);
        await world.run({ kind: 'unpublish' });
        for (let turns = 0; turns < 10 && (await world.worker.work('none')); turns += 1) await check(world);
      }
      await check(world);
      assert.deepEqual(
        world.worker.posts.filter(({ isLive }) => isLive),
        [],
      );
    }),
    {
      numRuns: runs(40),
      examples: [
        [RESTORED],
        [[...RESTORED, { kind: 'connect', account: 'B' }]],
        [buildUncertain('unanswered')],
        [buildUncertain('unknown')],
        [LATE_WITHDRAWAL],
      ],
    },
  );
});
