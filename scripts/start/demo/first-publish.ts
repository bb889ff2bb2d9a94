/** Publishes examples through the public endpoint and waits for deliveries. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../store/db/database.ts';
import { listConcernedDestinations } from '../../../store/deliveries/list.ts';
import { StartError } from '../start-error.ts';

export interface Published {
  action: string;
  id: string;
  url: string;
}

/** Publishes `content` like any client. Publishing the same content again changes nothing. */
export async function publishArticle(
  apiAddress: string,
  token: string,
  body: { content: string; coverImage?: string | undefined; syndicationMode?: 'local' | undefined },
  aborted: AbortSignal,
): Promise<Published> {
  const response = await fetch(`${apiAddress}/api/v1/articles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.any([aborted, AbortSignal.timeout(15_000)]),
  });
  const text = await response.text();
  if (!response.ok)
    throw new StartError(`The example could not be published (${response.status}): ${text.slice(0, 1_000)}`);
  const { action, data } = JSON.parse(text) as { action: string; data: { id: string; url: string } };
  return { action, id: data.id, url: data.url };
}

/**
 * Waits until all deliveries of this publish have ended, and shows each outcome once. Returns
 * whether all were delivered; false after a timeout, which is shown as well.
 */
export async function awaitDeliveries(
  db: Database,
  articleId: string,
  options: { timeoutMs: number; print: (line: string) => void; aborted: AbortSignal },
): Promise<boolean> {
  const { print, aborted } = options;
  const deadline = Date.now() + options.timeoutMs;
  const shown = new Set<string>();
  for (;;) {
    const [concerned, deliveries] = [await listConcernedDestinations(db, articleId), await listLedger(db, articleId)];
    const open = concerned.filter((destination) => !shown.has(destination));
    for (const delivery of deliveries) {
      if (shown.has(delivery.destination) || !ENDED.has(delivery.state)) continue;
      shown.add(delivery.destination);
      print(describeDelivery(delivery));
    }
    if (concerned.every((destination) => shown.has(destination))) {
      return deliveries.every((delivery) => delivery.state === 'delivered');
    }
    if (Date.now() > deadline) {
      for (const destination of open) {
        const delivery = deliveries.find((candidate) => candidate.destination === destination);
        const progress = delivery === undefined ? `${destination}: not started yet` : describeDelivery(delivery);
        print(`${progress}; delivery continues in the background (logs/worker.log, Temporal UI)`);
      }
      return false;
    }
    await sleep(50, undefined, { signal: aborted });
  }
}

/** Reads the deliveries of the current revision and dispatch. */
function listLedger(db: Database, articleId: string) {
  return db
    .selectFrom('deliveryStates')
    .select(['destination', 'state', 'remoteUrl', 'lastReason'])
    .where('articleId', '=', articleId)
    .where('deliveryId', 'is not', null)
    .orderBy('destination')
    .execute();
}

type LedgerRow = Awaited<ReturnType<typeof listLedger>>[number];

const ENDED: ReadonlySet<string> = new Set(['delivered', 'failed', 'unknown', 'held']);

function describeDelivery(row: LedgerRow): string {
  if (row.state === 'delivered') return `${row.destination} delivered: ${row.remoteUrl}`;
  return `${row.destination} ${row.state}${row.lastReason === null ? '' : `: ${row.lastReason}`}`;
}
