/**
 * Checks the final state of a walk when everything is quiet:
 *
 * 1. no manually created post is changed;
 * 2. no article has two posts at one account;
 * 3. our posts at each account are exactly the recorded copies, each with the recorded status;
 * 4. each final outcome has exactly one event (`events.ts` defines them);
 * 5. nothing is stuck: no workflow runs forever, and nothing due lacks a workflow.
 */
import proto from '@temporalio/proto';
import type { SandboxPost, WalkWorld } from '../world.ts';
import { checkEvents } from './events.ts';
import { type Facts, gatherFacts } from './facts.ts';
import { checkDoubles, checkForeignPosts, checkIdentities, checkLedger } from './posts.ts';

/**
 * `open` lists unfinished work. Returns the differences, and with `ledger` a description of the
 * rows for debugging.
 */
export async function checkWalk(
  world: WalkWorld,
  { handMade, open }: { handMade: readonly SandboxPost[]; open: readonly string[] },
): Promise<{ problems: string[]; ledger: string[] }> {
  const facts = await gatherFacts(world, handMade);
  const stuck = facts.due.map(({ deliveryId, why }) => {
    const row = facts.deliveries.find(({ id }) => id === deliveryId);
    const slug = facts.articles.find(({ id }) => id === row?.articleId)?.slug;
    return `stuck: ${slug} at ${row?.destination} is ${row?.state}, “${why}” is due`;
  });
  const problems = [
    ...checkForeignPosts(facts),
    ...checkDoubles(facts),
    ...checkIdentities(facts),
    ...checkLedger(facts),
    ...checkEvents(facts),
    ...(await Promise.all(open.map((id) => describeWork(world, id)))),
    ...stuck,
  ];
  return { problems, ledger: problems.length === 0 ? [] : describeLedger(facts) };
}

/** Describes a running workflow: its latest events and pending activities. */
async function describeWork({ client }: WalkWorld, id: string): Promise<string> {
  if (!id.includes('/')) return `still at work: ${id}`;
  const handle = client.workflow.getHandle(id);
  const [{ raw }, { events }] = await Promise.all([handle.describe(), handle.fetchHistory()]);
  const pending = (raw.pendingActivities ?? []).map(
    ({ activityType, attempt, lastFailure }) => `${activityType?.name} try ${attempt} ${lastFailure?.message ?? ''}`,
  );
  const latest = (events ?? []).slice(-14).map(({ eventTime, eventType, ...event }) => {
    const at = new Date(Number(eventTime?.seconds ?? 0) * 1_000).toISOString().slice(14, 19);
    const { activityTaskScheduledEventAttributes: scheduled, timerStartedEventAttributes: timer } = event;
    const failed = event.workflowTaskFailedEventAttributes?.failure?.message;
    const detail = scheduled?.activityType?.name ?? (timer && `${timer.startToFireTimeout?.seconds} s`) ?? failed ?? '';
    return `${at} ${proto.temporal.api.enums.v1.EventType[eventType ?? 0]} ${detail}`;
  });
  return [`still at work: ${id}, waits for ${pending.join(', ') || 'no activity'}`, ...latest].join('\n      ');
}

/** Describes every delivery with its attempts, for debugging. */
function describeLedger({ deliveries, articles, attempts, copies, accounts }: Facts): string[] {
  const nameAccount = (accountId: string | null) => accounts.find(({ id }) => id === accountId)?.identity ?? 'nowhere';
  return deliveries.flatMap((row) => {
    const article = articles.find(({ id }) => id === row.articleId);
    const head = `${article?.slug} (${article?.status} ${article?.dispatch}) at ${row.destination} ${nameAccount(row.accountId)}: ${row.state} ${row.errorCode ?? ''} handled ${row.handledDispatch} skipped ${row.skippedDispatch} version ${row.version} ${row.withdrawRequested ? 'withdraw requested' : ''} due ${row.dueAt?.toISOString() ?? '-'}`;
    const deliveryAttempts = attempts.filter(({ deliveryId }) => deliveryId === row.id);
    const accountIds = new Set(
      accounts.flatMap(({ id, destination }) => (destination === row.destination ? [id] : [])),
    );
    const knownCopies = copies.filter(
      ({ articleId, accountId }) => articleId === row.articleId && accountIds.has(accountId),
    );
    return [
      head,
      ...knownCopies.map(
        (copy) =>
          `    ${copy.isCurrent ? 'current' : 'former'} copy: ${nameAccount(copy.accountId)} ${copy.remoteId ?? '-'} ${copy.presence} revision ${copy.revision}`,
      ),
      ...deliveryAttempts.map(
        (attempt) =>
          `    ${attempt.id.slice(0, 8)} ${attempt.startedAt.toISOString().slice(14, 23)} ${attempt.action} at ${nameAccount(attempt.accountId)}: ${attempt.answer?.kind ?? 'no answer'} → ${attempt.outcome ?? 'open'} ${attempt.code ?? ''} ${attempt.endedAt?.toISOString().slice(14, 23) ?? ''}`,
      ),
    ];
  });
}
