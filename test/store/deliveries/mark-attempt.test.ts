/** Preparing may take long: the statement that marks an attempt checks all that its plan relied on. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { connectDestination } from '../../../store/connections/connect.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { retryDelivery, withdrawDelivery } from '../../../store/deliveries/commands.ts';
import { markAttempt } from '../../../store/deliveries/mark-attempt.ts';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

interface Planned {
  authorId: string;
  articleId: string;
  deliveryId: string;
}

const setArticle = (columns: string) => (planned: Planned) =>
  sql`update articles set ${sql.raw(columns)} where id = ${planned.articleId}`.execute(ledger.db);
const setDelivery = (columns: string) => (planned: Planned) =>
  sql`update deliveries set ${sql.raw(columns)} where id = ${planned.deliveryId}`.execute(ledger.db);
const connect = async ({ authorId: userId }: Planned, identity: string | null) => {
  const sealer = await loadSealer({ home: '', key: Buffer.alloc(32, 1).toString('base64') });
  const account = identity === null ? null : { identity, name: identity };
  const place = { destination: 'blogsite_a', platform: 'forem', baseUrl: 'https://forem.example/api' } as const;
  await connectDestination(ledger.db, sealer, { userId, ...place, credentials: {}, account, now: new Date() });
};

const CHANGES: Record<string, (planned: Planned) => Promise<unknown>> = {
  edited: setArticle('revision = revision + 1'),
  'published once more': setArticle('dispatch = dispatch + 1'),
  'made a draft': setArticle(`status = 'DRAFT'`),
  scheduled: setArticle(`status = 'SCHEDULED', scheduled_at = now() + interval '1 day'`),
  skipped: setDelivery('skipped_dispatch = 1'),
  'withdrawn by command': setDelivery('withdraw_requested = true'),
  'withdrawn by command, and then wanted after all': async ({ authorId, articleId }) => {
    const target = { authorId, articleId, destination: 'blogsite_a', now: new Date() } as const;
    await withdrawDelivery(ledger.db, target);
    await retryDelivery(ledger.db, target);
  },
  'settled with a post': setDelivery(`remote_id = 'r'`),
  'ordered to overwrite': setDelivery('overwrite = true'),
  'found to be at another account': async ({ authorId, deliveryId }) => {
    const accountId = await ledger.addAccount(authorId);
    return sql`update deliveries set account_id = ${accountId} where id = ${deliveryId}`.execute(ledger.db);
  },
  'connected over an account that turned out to be another one': async ({ authorId }) => {
    const accountId = await ledger.addAccount(authorId);
    return sql`update connections set account_id = ${accountId} where user_id = ${authorId}`.execute(ledger.db);
  },
  'attempted by another worker': setDelivery('attempts = attempts + 1'),
  'suspended, its author': ({ authorId }) =>
    sql`update users set suspended_at = now() where id = ${authorId}`.execute(ledger.db),
  disconnected: ({ authorId }) => disconnectDestination(ledger.db, authorId, 'blogsite_a'),
  'disconnected, and connected to the same account again': async ({ authorId }) => {
    await disconnectDestination(ledger.db, authorId, 'blogsite_a');
    await ledger.addConnection(authorId);
  },
  'reconnected with another key': (planned) => connect(planned, null),
  'connected to another account': (planned) => connect(planned, 'another'),
  'refused its credential': ({ authorId }) =>
    sql`update connections set status = 'unauthorised' where user_id = ${authorId}`.execute(ledger.db),
};

async function plan() {
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  const articleId = await ledger.addArticle(authorId);
  const deliveryId = await ledger.addDelivery(articleId);
  const loaded = await loadDelivery(ledger.db, { articleId, destination: 'blogsite_a' }, 'https://here.example');
  const connection = loaded?.situation.connection;
  assert.ok(connection);
  const mark = () => markAttempt(ledger.db, { ...loaded, connection, action: 'create', payload: null });
  return { planned: { authorId, articleId, deliveryId }, mark };
}

for (const [change, make] of Object.entries(CHANGES)) {
  test(`${change} while an attempt is prepared: it is not marked, so nothing is sent (F28)`, async () => {
    const { planned, mark } = await plan();
    await make(planned);
    assert.equal(await mark(), null);
  });
}

test('nothing changed: it is marked once, and a second worker with the same plan marks nothing (F28)', async () => {
  const { mark } = await plan();
  const numbers = await Promise.all([mark(), mark(), mark()]);
  assert.deepEqual(
    numbers.filter((number) => number !== null),
    [1],
  );
});
