/** Stores a destination's answer in the activity that received it, before the workflow gets it. */
import { setTimeout } from 'node:timers/promises';
import { log } from '@temporalio/activity';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import type { DestinationAnswer, SendOutcome, SentRequest } from '../../delivery/types.ts';
import type { RemotePost } from '../../destinations/types.ts';
import { recordAnswer } from '../../store/attempts/record-answer.ts';
import { recordOutcome } from '../../store/attempts/record-outcome.ts';
import { isFormerPost, listOtherPosts } from '../../store/copies/post-owner.ts';
import type { ActivityDeps } from '../deps.ts';
import { type DeliveryPlan, describeDecision } from './plan.ts';

/** `sentAs`: the first request or its repeat, at a platform that recognises duplicates; else null. */
interface Received {
  answer: DestinationAnswer;
  sentAs: 'first' | 'repeat' | null;
}

/**
 * Stores the answer in the attempt's row, so that it survives a lost activity result (deploy,
 * Temporal unavailable). Records a created or updated post as delivered in the same transaction.
 * Retries a failed write briefly. Idempotent: the first stored answer counts.
 */
export async function storeAnswer(
  deps: ActivityDeps,
  plan: DeliveryPlan,
  sent: SentRequest,
  received: Received,
): Promise<SendOutcome> {
  const until = performance.now() + TIMEOUTS.storeAnswerMs;
  for (;;) {
    try {
      return await storeOnce(deps, plan, sent, received);
    } catch (error) {
      if (performance.now() > until) {
        const { deliveryId } = describeDecision(plan);
        log.error('could not store the response of a destination', { deliveryId, err: error });
        // A recognised post may belong to another article: the outcome is unknown.
        if (received.sentAs) throw error;
        return { ...received.answer, ...sent };
      }
      await setTimeout(TIMEOUTS.storeAnswerPauseMs);
    }
  }
}

async function storeOnce(
  deps: ActivityDeps,
  plan: DeliveryPlan,
  sent: SentRequest,
  { answer: raw, sentAs }: Received,
): Promise<SendOutcome> {
  const isRecognised = sentAs && raw.kind === 'done' && raw.remote;
  const answer = isRecognised
    ? await checkDuplicate(deps, plan, { remote: isRecognised, isRepeat: sentAs === 'repeat' })
    : raw;
  const input = { ...describeDecision(plan), ...sent };
  if (answer.kind === 'done' && answer.remote) {
    const { remote } = answer;
    const isCurrent = await recordOutcome(deps.db, { ...input, outcome: { kind: 'delivered', remote } }, answer);
    // An attempt that has already ended still gets its answer stored.
    if (!isCurrent) await recordAnswer(deps.db, input, answer);
    return { ...answer, ...sent, recorded: { isCurrent } };
  }
  await recordAnswer(deps.db, input, answer);
  return { ...answer, ...sent };
}

/**
 * Rejects a duplicate of a deleted post, of another article's post, or of a post that Courant did
 * not create. On the first request, Courant did not create the duplicate: no earlier attempt was
 * open.
 */
async function checkDuplicate(
  { db }: ActivityDeps,
  { situation, article }: DeliveryPlan,
  { remote: { isDuplicate, ...remote }, isRepeat }: { remote: RemotePost; isRepeat: boolean },
): Promise<DestinationAnswer> {
  const { remoteId } = remote;
  const accountId = situation.connection?.accountId;
  if (accountId === undefined) return { kind: 'done', remote };
  const post = { accountId, remoteId, articleId: article.id };
  if (await isFormerPost(db, post)) {
    const reason = `The destination still treats “${article.title}” as a duplicate of the deleted post. Publish again in a day or two, or change the text.`;
    return { kind: 'rejected', code: 'duplicate_of_deleted', reason };
  }
  if ((await listOtherPosts(db, post)).has(remoteId)) {
    const reason = `The destination treats this as a duplicate of another article’s post: ${remote.url}`;
    return { kind: 'rejected', code: 'duplicate_of_other', reason };
  }
  if (isDuplicate && !isRepeat) {
    const reason = `The destination already has an identical post that Courant did not create: ${remote.url}. Courant did not change it. Delete it there, or change the text and publish again.`;
    return { kind: 'rejected', code: 'duplicate_of_foreign', reason };
  }
  return { kind: 'done', remote };
}
