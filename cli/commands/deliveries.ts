/** Reads an article's deliveries from the server and prints them. */
import type { DestinationKey } from '../../article/types.ts';
import { nameDestination } from '../../destinations/registry.ts';
import type { RunGraphql } from '../server/session.ts';
import type { Terminal } from '../terminal/output.ts';

/** As in the GraphQL schema, but with the state in lower case. */
export interface Delivery {
  destination: DestinationKey;
  state: string;
  remoteUrl: string | null;
  error: string | null;
  errorCode: string | null;
  attempts: number;
  nextAttemptAt: string | null;
  deliveredRevision: number | null;
  withdrawnAt: string | null;
}

export interface OwnArticle {
  id: string;
  slug: string;
  title: string;
  status: string;
  url: string;
  revision: number;
  scheduledAt: string | null;
  updatedAt: string;
  deliveries: Delivery[];
}

const ARTICLE_QUERY = `query ($id: ID!) { article(id: $id) { id slug title status url revision scheduledAt updatedAt
  deliveries { destination state remoteUrl error errorCode attempts nextAttemptAt deliveredRevision withdrawnAt } } }`;

/** Returns null if the signed-in person has no such article. */
export async function fetchOwnArticle(runGraphql: RunGraphql, id: string): Promise<OwnArticle | null> {
  const article = (await runGraphql(ARTICLE_QUERY, { id })).article as OwnArticle | null;
  for (const delivery of article?.deliveries ?? []) delivery.state = delivery.state.toLowerCase();
  return article;
}

export function hasSucceeded({ state }: Delivery): boolean {
  return state === 'delivered';
}

/** Prints one line per destination: its state and address, or the error and the next attempt. */
export function showDeliveries(deliveries: Delivery[], { out, outPaint: paint }: Terminal): void {
  for (const { destination, state, remoteUrl, withdrawnAt, nextAttemptAt, error } of deliveries) {
    const details = [
      remoteUrl,
      withdrawnAt && `withdrawn ${withdrawnAt}`,
      error,
      nextAttemptAt && `retried at ${nextAttemptAt}`,
    ];
    const cells = [
      paint.plain(nameDestination(destination).padEnd(18)),
      paint[COLOURS[state] ?? 'yellow'](state.padEnd(10)),
      paint.plain(details.filter(Boolean).join('  ')),
    ];
    out(`  ${cells.join('  ')}`.trimEnd());
  }
}

const COLOURS: Record<string, 'green' | 'red'> = { delivered: 'green', failed: 'red', held: 'red', unknown: 'red' };
