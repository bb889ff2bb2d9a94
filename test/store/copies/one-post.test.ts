/** Tests that a post found by two articles of one author belongs to one of them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { settleDelivery } from '../../../store/deliveries/commands.ts';
import { type AddedDelivery, openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { begin } from '../deliveries/support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

/** Starts deliveries of two articles of one author. */
async function beginTwo(delivery?: AddedDelivery) {
  const [one, other] = [await begin(ledger, delivery), await begin(ledger)];
  const { authorId } = one;
  await ledger.db.updateTable('articles').set({ authorId }).where('id', '=', other.articleId).execute();
  return [one, other] as const;
}

test('the second of two concurrent adoptions of one post is planned again', async () => {
  const [one, other] = await beginTwo();
  const { connectionId } = one;
  const { version: connectionVersion } = await ledger.db
    .selectFrom('connections')
    .select('version')
    .where('id', '=', connectionId)
    .executeTakeFirstOrThrow();
  const found = {
    kind: 'adopted',
    remote: { remoteId: '77', url: 'https://there.example/77', changedAt: null },
  } as const;
  const adopt = async ({ deliveryId }: { deliveryId: string }) => {
    const { version } = await ledger.db
      .selectFrom('deliveries')
      .select('version')
      .where('id', '=', deliveryId)
      .executeTakeFirstOrThrow();
    const attemptId = randomUUID();
    return one.end({ connectionId, connectionVersion, dispatch: 1, deliveryId, attemptId, version }, found);
  };
  assert.deepEqual([await adopt(one), await adopt(other)], [true, false]);
});

test('an author cannot settle with a deleted post of another article', async () => {
  const deleted = { remoteId: 'old', presence: 'deleted', withdrawnAt: new Date() } as const;
  const [one, other] = await beginTwo({ handledDispatch: 1, copy: deleted });
  await other.mark({ text: 'sent' });
  await sql`update delivery_attempts set started_at = started_at - interval '1 hour'
    where delivery_id = ${other.deliveryId}`.execute(ledger.db);
  const target = { authorId: one.authorId, articleId: other.articleId, destination: 'blogsite_a' } as const;
  const finding = { remoteId: 'old', url: 'https://there.example/old' };
  await assert.rejects(
    settleDelivery(ledger.db, target, { finding, canUpdate: false }),
    (error) => error instanceof RefusedCommandError && error.code === 'POST_TAKEN',
  );
});
