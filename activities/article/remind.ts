/**
 * Tries every destination's credentials an hour before a scheduled publication, so that the author can still fix what would fail. The author
 * is notified once, however often it runs.
 */
import type { DestinationKey } from '../../article/types.ts';
import { findScheduled, recordReminder, type Warning } from '../../store/articles/schedules/reminders.ts';
import { openConnection } from '../../store/connections/credentials.ts';
import { findConnection } from '../../store/connections/list.ts';
import { SealError } from '../../store/secrets/sealing.ts';
import { UNREADABLE } from '../delivery/client.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { checkCredential } from './check-credential.ts';

/** Between two probes of one credential. */
const PROBE_AGAIN_MS = 10_000;

export function createReminderActivities(deps: ActivityDeps, probeAgainMs = PROBE_AGAIN_MS) {
  return {
    /** `scheduledAt` in ISO 8601; does nothing if the article was rescheduled in the meantime. Returns the number of warnings. */
    async remindArticle(input: { articleId: string; scheduledAt: string }): Promise<number> {
      const article = await findScheduled(deps.db, input);
      if (!article) return 0;
      const { authorId, destinations } = article;
      const found = await withHeartbeat(() =>
        Promise.all(destinations.map((destination) => findWarning(deps, authorId, destination, probeAgainMs))),
      );
      const warnings = found.filter((warning) => warning !== null);
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
  for (;;) {
    const known = await findConnection(deps.db, authorId, destination);
    if (!known) {
      return { destination, code: 'not_connected', reason: 'It is no longer connected.', connection: null };
    }
    if (known.status === 'unauthorised') {
      return { destination, code: known.status, reason: known.statusReason ?? '', connection: known };
    }
    const connection = await openConnection(deps.db, deps.sealer, known.id).catch((error: unknown) => {
      if (error instanceof SealError) return 'unreadable' as const;
      throw error;
    });
    if (connection === 'unreadable') {
      return { destination, code: 'credential_unreadable', reason: UNREADABLE, connection: null };
    }
    // Reconnected, refused or disconnected meanwhile: what counts is what there is now.
    if (connection?.version !== known.version) continue;
    const finding = await checkCredential(deps, connection, probeAgainMs);
    if (finding === 'gone') continue;
    // An account that is busy has accepted its credential, and a delivery waits for it by itself.
    if (finding === null || finding.code === 'rateLimited') return null;
    const { id, version } = connection;
    return { destination, ...finding, connection: { id, version } };
  }
}
