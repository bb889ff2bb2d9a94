/** Renders, sends and records one digest in one activity, so that no history holds its content. */
import { buildDigestHeaders, buildDigestMessageId } from '../../mail/digest/render.ts';
import type { Mail } from '../../mail/mailer.ts';
import type { DigestState } from '../../store/db/types.ts';
import {
  beginDigestRow,
  closeDigest,
  type DigestKey,
  type DigestOutcome,
  loadDigest,
  markSending,
  unmarkSending,
} from '../../store/digests/digest-row.ts';
import { gatherDigestFacts, isQuietPeriod } from '../../store/digests/gather-facts.ts';
import { readFinalOutcome } from '../../store/mails/outcome.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { exchangeMail, type MailRecord } from '../mail/exchange.ts';

type Digest = NonNullable<Awaited<ReturnType<typeof loadDigest>>>;

export function createDigestActivities(deps: ActivityDeps) {
  const { db, now } = deps;

  async function send(key: DigestKey): Promise<DigestOutcome> {
    const digest = await loadDigest(db, key);
    if (!digest) return { kind: 'deleted' };
    const ended = findKnownDigestOutcome(digest);
    if (ended) return ended;
    const mail = await composeDigest(deps, digest, key);
    if (!mail) return { kind: 'skipped', reason: 'There was nothing to report.' };
    return exchangeMail(deps, buildDigestRecord(deps, key), mail);
  }

  return {
    /** Opens the digest if it is due, and returns its state; null if it is not due. */
    openDigest: (key: DigestKey): Promise<DigestState | null> =>
      beginDigestRow(db, { ...key, messageId: buildDigestMessageId({ ...key, siteUrl: deps.baseUrl }), now: now() }),

    /** Throws, to be retried, while the mail server is unavailable. Returns other outcomes. */
    sendDigest: (key: DigestKey): Promise<DigestOutcome> => withHeartbeat(() => send(key)),

    closeDigest: (input: DigestKey & { outcome: DigestOutcome }): Promise<DigestState | null> =>
      closeDigest(db, { ...input, now: now() }),
  };
}

/** The outcome of a digest that needs no mail; null if it must be sent. */
function findKnownDigestOutcome(digest: Digest): DigestOutcome | null {
  if (digest.state !== 'pending') return readFinalOutcome(digest);
  if (digest.frequency === 'off') return { kind: 'skipped', reason: 'The author has turned off digests.' };
  if (digest.stoppedAt !== null) return { kind: 'skipped', reason: 'The address rejected an earlier mail.' };
  if (digest.suspendedAt !== null) return { kind: 'skipped', reason: 'The author is suspended.' };
  return null;
}

function buildDigestRecord({ db, now }: ActivityDeps, key: DigestKey): MailRecord {
  return {
    name: `digest/${key.userId}/${key.date}`,
    mark: () => markSending(db, key, now()),
    unmark: (attempt) => unmarkSending(db, key, attempt),
    closeSent: () => closeDigest(db, { ...key, outcome: { kind: 'sent' }, now: now() }),
    readAddress: async () => (await loadDigest(db, key))?.email ?? null,
  };
}

async function composeDigest(deps: ActivityDeps, digest: Digest, { date }: DigestKey): Promise<Mail | null> {
  const { db, baseUrl } = deps;
  const token = deps.unsubscribeToken(digest.id);
  const unsubscribeUrl = `${baseUrl}/digest/unsubscribe?token=${encodeURIComponent(token)}`;
  const facts = await gatherDigestFacts(db, { author: digest, date, zone: digest.zone, baseUrl, unsubscribeUrl });
  if (!digest.sendEmpty && isQuietPeriod(facts)) return null;
  const to = { name: digest.name, address: digest.email };
  const headers = buildDigestHeaders({ unsubscribeUrl, siteUrl: baseUrl });
  return { to, messageId: digest.messageId, headers, ...(await deps.renderDigest(facts)) };
}
