/**
 * Probes the credentials of all destinations an hour before a scheduled publication, so that the
 * author can fix problems in time. Idempotent: the author is notified once.
 */
import type { DestinationKey } from '../../article/types.ts';
import { findScheduled, recordReminder, type Warning } from '../../store/articles/schedules/reminders.ts';
import { openConnection } from '../../store/connections/credentials.ts';
import { findConnection } from '../../store/connections/list.ts';
import { SealError } from '../../store/secrets/sealing.ts';
import { UNREADABLE_CREDENTIAL_MESSAGE } from '../delivery/client.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { checkCredential } from './check-credential.ts';

/** Pause between two probes of one credential. */
const PROBE_PAUSE_MS = 10_000;

export function createReminderActivities(deps: ActivityDeps, probePauseMs = PROBE_PAUSE_MS) {
  return {
    /** `scheduledAt`: ISO 8601; does nothing if it has changed. Returns the number of warnings. */
    async remindAuthor(input: { articleId: string; scheduledAt: string }): Promise<number> {
      const article = await findScheduled(deps.db, input);
      if (!article) return 0;
      const { authorId, destinations } = article;
      const found = await withHeartbeat(() =>
        Promise.all(destinations.map((destination) => findWarning(deps, authorId, destination, probePauseMs))),
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
  probePauseMs: number,
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
      return { destination, code: 'credential_unreadable', reason: UNREADABLE_CREDENTIAL_MESSAGE, connection: null };
    }
    // Reconnected, refused or disconnected meanwhile: reads the connection again.
    if (connection?.version !== known.version) continue;
    const finding = await checkCredential(deps, connection, probePauseMs);
    if (finding === 'gone') continue;
    // A rate-limited account accepts its credential, and the delivery waits for its slot.
    if (finding === null || finding.code === 'rate_limited') return null;
    const { id, version } = connection;
    return { destination, ...finding, connection: { id, version } };
  }
}
