/** Ends a digest: records its outcome and advances the author's due date. */
import type { Database } from '../db/database.ts';
import type { DigestState } from '../db/types.ts';
import { resolveMailState } from '../mails/outcome.ts';
import type { DigestKey, DigestOutcome } from './digest-row.ts';
import { moveDueDate } from './due-date.ts';

/** Idempotent. A final state does not change, except that `unknown` may become `sent`. */
export async function closeDigest(
  db: Database,
  { userId, date, outcome, now }: DigestKey & { outcome: DigestOutcome; now: Date },
): Promise<DigestState | null> {
  return db.transaction().execute(async (tx) => {
    const settings = await tx
      .selectFrom('digestSettings')
      .select('unclearRefusals')
      .where('userId', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    const row = await tx
      .selectFrom('digests')
      .select('state')
      .where('userId', '=', userId)
      .where('date', '=', date)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return null;
    const state = resolveMailState(row.state, outcome);
    if (state !== row.state) {
      const reason = 'reason' in outcome ? outcome.reason : null;
      await tx
        .updateTable('digests')
        .set({ state, reason, at: now })
        .where('userId', '=', userId)
        .where('date', '=', date)
        .execute();
      const unclearRefusals = countUnclear(settings?.unclearRefusals ?? 0, outcome);
      await tx.updateTable('digestSettings').set({ unclearRefusals }).where('userId', '=', userId).execute();
      // A server that refuses one message may accept the next, so only a refused recipient stops
      // the digests.
      if (outcome.kind === 'refused' && (outcome.cause === 'recipient' || unclearRefusals >= MAX_UNCLEAR_REFUSALS)) {
        await tx
          .updateTable('digestSettings')
          .set({ nextDueAt: null, stoppedAt: now, stoppedReason: reason })
          .where('userId', '=', userId)
          .where('frequency', '!=', 'off')
          .execute();
      }
    }
    await moveDueDate(tx, userId, now);
    return state;
  });
}

/** Some servers refuse without a code for temporary reasons, but not for two digests in a row. */
const MAX_UNCLEAR_REFUSALS = 2;

/**
 * A sent mail resets the count. Refused messages and unsent digests prove nothing about the
 * mailbox.
 */
function countUnclear(before: number, outcome: DigestOutcome): number {
  if (outcome.kind === 'sent') return 0;
  return outcome.kind === 'refused' && outcome.cause === 'unclear' ? before + 1 : before;
}
