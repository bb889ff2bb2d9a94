/**
 * Tries every destination's credentials an hour before a scheduled publication, so that the author can still fix what would fail. The author
 * is notified once, however often it runs.
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

/** A refused key is tried once more: platforms need a moment before they accept a new one. */
const PROBE_AGAIN_MS = 10_000;

export function createReminderActivities(deps: ActivityDeps, probeAgainMs = PROBE_AGAIN_MS) {
  return {
    /** `scheduledAt` in ISO 8601; does nothing if the article was rescheduled in the meantime. Returns the number of warnings. */
    async remindArticle(input: { articleId: string; scheduledAt: string }): Promise<number> {
      const article = await findScheduled(deps.db, input);
      if (!article) return 0;
      const warnings: Warning[] = [];
      for (const destination of article.destinations) {
        const warning = await findWarning(deps, article.authorId, destination, probeAgainMs);
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
  probeAgainMs: number,
): Promise<Warning | null> {
  let connection: OpenedConnection | null;
  try {
    connection = await findOpenConnection(deps.db, deps.sealer, authorId, destination);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return { destination, code: 'credential_unreadable', reason: UNREADABLE, connection: null };
  }
  if (!connection) {
    return { destination, code: 'not_connected', reason: 'It is no longer connected.', connection: null };
  }
  const first = await probe(deps, connection);
  const outcome = first.kind === 'unauthorised' ? await probeAgain(deps, connection, probeAgainMs) : first;
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
  const adapter = deps.findDestination(connection.platform as Platform);
  if (!adapter) return { kind: 'rejected', code: 'platform_unsupported', reason: 'There is no adapter for it here.' };
  const { httpTimeoutMs: timeoutMs, now, allowPrivate } = deps;
  return adapter.createClient({ connection, timeoutMs, now, allowPrivate }).probe();
}
