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

const ENDED: ReadonlySet<string> = new Set(['delivered', 'failed', 'unknown', 'held']);

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

/** Waits until all deliveries of this publish have ended, and shows each outcome once. */
export async function awaitDeliveries(
  db: Database,
  articleId: string,
  { timeoutMs, print, aborted }: { timeoutMs: number; print: (line: string) => void; aborted: AbortSignal },
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const open = new Set(await listConcernedDestinations(db, articleId));
  for (;;) {
    // The deliveries of the current revision and dispatch.
    const deliveries = await db
      .selectFrom('deliveryStates')
      .select(['destination', 'state', 'remoteUrl', 'lastReason'])
      .where('articleId', '=', articleId)
      .where('deliveryId', 'is not', null)
      .orderBy('destination')
      .execute();
    for (const { destination, state, remoteUrl, lastReason } of deliveries) {
      if (!ENDED.has(state) || !open.delete(destination)) continue;
      print(`${destination} ${state}${state === 'delivered' ? `: ${remoteUrl}` : lastReason ? `: ${lastReason}` : ''}`);
    }
    if (open.size === 0) return;
    if (Date.now() > deadline) {
      print(`${[...open].join(', ')}: delivery continues in the background (logs/worker.log, Temporal UI)`);
      return;
    }
    await sleep(50, undefined, { signal: aborted });
  }
}
