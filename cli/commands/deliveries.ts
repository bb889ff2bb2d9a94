/** Reads an article's deliveries from the server and prints them. */
import type { DestinationKey } from '../../article/types.ts';
import { nameDestination } from '../../destinations/name-destination.ts';
import { isRecord, readText } from '../server/json.ts';
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

const ARTICLE_FIELDS = `id slug title status url revision scheduledAt updatedAt deliveries {
  destination state remoteUrl error errorCode attempts nextAttemptAt deliveredRevision withdrawnAt }`;

/** Returns null if the signed-in person has no such article. */
export async function fetchOwnArticle(runGraphql: RunGraphql, id: string): Promise<OwnArticle | null> {
  const { article } = await runGraphql(`query ($id: ID!) { article(id: $id) { ${ARTICLE_FIELDS} } }`, { id });
  return toArticle(article);
}

/** Checks only the fields that this program relies on. */
function toArticle(value: unknown): OwnArticle | null {
  if (!isRecord(value) || readText(value.id) === undefined || !Array.isArray(value.deliveries)) return null;
  const article = value as unknown as OwnArticle;
  const deliveries = article.deliveries.map((delivery) => ({ ...delivery, state: delivery.state.toLowerCase() }));
  return { ...article, deliveries };
}

export function hasSucceeded({ state }: Delivery): boolean {
  return state === 'delivered';
}

/** Prints one line per destination: its state and address, or the error and the next attempt. */
export function showDeliveries(deliveries: Delivery[], { out, outPaint: paint }: Terminal): void {
  for (const delivery of deliveries) {
    const { destination, state, remoteUrl, withdrawnAt, nextAttemptAt, error } = delivery;
    const colour = COLOURS[state] ?? 'yellow';
    const details = [
      remoteUrl,
      withdrawnAt === null ? null : `withdrawn ${withdrawnAt}`,
      error,
      nextAttemptAt === null ? null : `retried at ${nextAttemptAt}`,
    ];
    const text = details.filter((part) => part !== null && part !== '').join('  ');
    out(
      `  ${paint.plain(nameDestination(destination).padEnd(18))}  ${paint[colour](state.padEnd(10))}  ${paint.plain(text)}`.trimEnd(),
    );
  }
}

const COLOURS: Record<string, 'green' | 'red'> = { delivered: 'green', failed: 'red', held: 'red', unknown: 'red' };
