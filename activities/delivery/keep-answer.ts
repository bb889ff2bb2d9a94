/** The answer of a destination is written down by the activity that asked, before anybody else hears of it. */
import { setTimeout } from 'node:timers/promises';
import { log } from '@temporalio/activity';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import type { DestinationAnswer, SendOutcome, Sent } from '../../delivery/types.ts';
import type { RemotePost } from '../../destinations/types.ts';
import { isFormerPost, listOtherPosts } from '../../store/deliveries/post-owner.ts';
import { recordAnswer } from '../../store/deliveries/record-answer.ts';
import { recordEnding } from '../../store/deliveries/record-ending.ts';
import type { ActivityDeps } from '../deps.ts';
import { type DeliveryPlan, describeDecision } from './plan.ts';

/** `recognises`: set where the platform recognises an identical post: on the first request, or its repeat. */
interface Given {
  answer: DestinationAnswer;
  recognises: 'first' | 'repeat' | null;
}

/**
 * Stores the answer in the attempt's row, so that it is known even if the end of this activity never reaches its
 * workflow (a deploy, Temporal unavailable). A created or updated post is recorded as delivered in the same
 * transaction. If the database is unavailable, it retries briefly; the workflow receives the answer in any case.
 *
 * Cut here, before the row is written: the outcome of the attempt is unknown, and is found out like any other. Run twice: the first answer counts.
 */
export async function keepAnswer(
  deps: ActivityDeps,
  plan: DeliveryPlan,
  sent: Sent,
  given: Given,
): Promise<SendOutcome> {
  const until = performance.now() + TIMEOUTS.keepAnswerMs;
  for (;;) {
    try {
      return await keep(deps, plan, sent, given);
    } catch (error) {
      if (performance.now() > until) {
        const { deliveryId } = describeDecision(plan);
        log.error('the answer of a destination could not be written down', { deliveryId, err: error });
        // Whose post a recognised one is was not found out: it is asked about once more.
        if (given.recognises) throw error;
        return { ...given.answer, ...sent };
      }
      await setTimeout(TIMEOUTS.keepAnswerPauseMs);
    }
  }
}

async function keep(
  deps: ActivityDeps,
  plan: DeliveryPlan,
  sent: Sent,
  { answer: raw, recognises }: Given,
): Promise<SendOutcome> {
  const isRecognised = recognises && raw.kind === 'done' && raw.remote;
  const answer = isRecognised
    ? await checkDuplicate(deps, plan, { remote: isRecognised, isRepeat: recognises === 'repeat' })
    : raw;
  const input = { ...describeDecision(plan), ...sent };
  if (answer.kind === 'done' && answer.remote) {
    const { remote } = answer;
    const upToDate = await recordEnding(deps.db, { ...input, ending: { kind: 'delivered', remote } }, answer);
    // If the attempt had already ended, its answer is stored all the same.
    if (!upToDate) await recordAnswer(deps.db, input, answer);
    return { ...answer, ...sent, recorded: { upToDate } };
  }
  await recordAnswer(deps.db, input, answer);
  return { ...answer, ...sent };
}

/**
 * A platform that answers with the post it takes ours for a duplicate of may mean one that was deleted, or another
 * article's: neither is this one. On the first request it is not ours either, because no attempt was open that could have made it; its author
 * has posted the same by hand.
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
    const reason = `The destination still takes “${article.title}” for a duplicate of the post that was deleted. Publish again in a day or two, or with another text.`;
    return { kind: 'rejected', code: 'duplicate_of_deleted', reason };
  }
  if ((await listOtherPosts(db, post)).has(remoteId)) {
    const reason = `The destination takes this for a duplicate of another article’s post: ${remote.url}`;
    return { kind: 'rejected', code: 'duplicate_of_other', reason };
  }
  if (isDuplicate && !isRepeat) {
    const reason = `The destination has an identical post already, which Courant did not make: ${remote.url}. It was left as it is; delete it there, or publish with another text.`;
    return { kind: 'rejected', code: 'duplicate_of_foreign', reason };
  }
  return { kind: 'done', remote };
}
