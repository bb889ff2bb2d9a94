/** Adds an attempt that sent nothing, to record why: a refusal or a failure before the call. */
import type { DeliveryCode } from '../../delivery/delivery-codes.ts';
import type { AttemptOutcome } from '../../delivery/types.ts';
import { NOW } from '../db/now.ts';
import type { TripTransaction } from '../db/trips.ts';
import type { DecidedRow } from '../deliveries/decide.ts';

export interface AttemptEnd {
  outcome: AttemptOutcome;
  code?: DeliveryCode;
  reason?: string;
}

interface UnsentAttempt {
  id: string;
  deliveryId: string;
  accountId: string;
  copyId: string | null;
  dispatch: number;
  revision: number;
  presence: DecidedRow['presence'];
}

export async function addUnsent(tx: TripTransaction['tx'], attempt: UnsentAttempt, end: AttemptEnd): Promise<void> {
  const { id, deliveryId, accountId, copyId, dispatch, revision, presence } = attempt;
  const hasPost = presence !== 'absent' && presence !== 'deleted';
  const action = end.code === 'cannot_withdraw' ? 'withdraw' : hasPost ? 'update' : 'create';
  const unsent = { wasSent: false, contentHash: '', lookUp: '{}', startedAt: NOW, endedAt: NOW };
  await tx
    .insertInto('deliveryAttempts')
    .values({ id, deliveryId, accountId, copyId, dispatch, revision, action, ...unsent, ...end })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
