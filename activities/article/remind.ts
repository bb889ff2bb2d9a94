/**
 * The look ahead of a schedule: an hour before its time every destination's credential is tried, so that its author can still mend what
 * would fail. Running it twice tells the author once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { DestinationKey } from '../../article/types.ts';
import type { Outcome, Platform, ProbedAccount } from '../../destinations/types.ts';
import { findScheduled, recordReminder, type Warning } from '../../store/articles/reminders.ts';
import { findOpenConnection, type OpenedConnection } from '../../store/connections/credentials.ts';
import { SealError } from '../../store/secrets/sealing.ts';
import { UNREADABLE } from '../delivery/client.ts';
import type { ActivityDeps } from '../deps.ts';

/** A key that was refused is asked about once more: platforms take a moment to learn of a new one. */
const ASK_AGAIN_MS = 10_000;

export function remindActivities(deps: ActivityDeps, askAgainMs = ASK_AGAIN_MS) {
  return {
    /** `scheduledAt` in ISO 8601: a schedule that was moved meanwhile is another one. */
    async remindArticle(input: { articleId: string; scheduledAt: string }): Promise<number> {
      const article = await findScheduled(deps.db, input);
      if (!article) return 0;
      const warnings: Warning[] = [];
      for (const destination of article.destinations) {
        const warning = await findWarning(deps, article.authorId, destination, askAgainMs);
        if (warning) warnings.push(warning);
        Context.current().heartbeat();
      }
      await recordReminder(deps.db, { ...input, warnings, now: deps.now() });
      return warnings.length;
    },
  };
}

async function findWarning(
  deps: ActivityDeps,
  authorId: string,
  destination: DestinationKey,
  askAgainMs: number,
): Promise<Warning | null> {
  let connection: OpenedConnection | null;
  try {
    connection = await findOpenConnection(deps.db, deps.sealer, authorId, destination);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return { destination, code: 'credential_unreadable', reason: UNREADABLE, connection: null };
  }
  if (!connection) {
    return { destination, code: 'not_connected', reason: 'It is not connected any more.', connection: null };
  }
  const first = await probe(deps, connection);
  const outcome = first.kind === 'unauthorised' ? await probeAgain(deps, connection, askAgainMs) : first;
  if (outcome.kind === 'done' || outcome.kind === 'drifted') return null;
  const code = outcome.kind === 'rejected' ? outcome.code : outcome.kind;
  const { id, credentialVersion } = connection;
  return { destination, code, reason: outcome.reason, connection: { id, credentialVersion } };
}

async function probeAgain(
  deps: ActivityDeps,
  connection: OpenedConnection,
  afterMs: number,
): Promise<Outcome<ProbedAccount>> {
  await sleep(afterMs, undefined, { signal: Context.current().cancellationSignal });
  return probe(deps, connection);
}

async function probe(deps: ActivityDeps, connection: OpenedConnection): Promise<Outcome<ProbedAccount>> {
  const adapter = deps.destinationFor(connection.platform as Platform);
  if (!adapter) return { kind: 'rejected', code: 'platform_unsupported', reason: 'There is no adapter for it here.' };
  const { httpTimeoutMs: timeoutMs, now, allowPrivate } = deps;
  return adapter.createClient({ connection, timeoutMs, now, allowPrivate }).probe();
}
