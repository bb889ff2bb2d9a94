/** `--wait`: follows the deliveries of the published articles until each has an outcome. */
import type { DestinationKey } from '../../../article/types.ts';
import type { CliContext } from '../../context.ts';
import { listDestinations, type PreparedDocument } from '../../document/prepare-document.ts';
import { createFailure } from '../../failure.ts';
import { listRecords } from '../../server/json.ts';
import type { Published } from '../../server/publish-article.ts';
import { sleep } from '../../server/retry.ts';
import type { RunGraphql } from '../../server/session.ts';
import { startProgress } from '../../terminal/progress.ts';
import { type Delivery, fetchOwnArticle, hasSucceeded, type OwnArticle } from '../deliveries.ts';
import { type PublishFlags, WAIT_TIMEOUT_S } from './flags.ts';
import type { Reporter } from './results.ts';

export interface PublishedDocument {
  document: PreparedDocument;
  published: Published;
}

/** Returns the number of deliveries that failed or had no outcome in time. */
export async function waitForDeliveries(
  sent: PublishedDocument[],
  runGraphql: RunGraphql,
  reporter: Reporter,
  { waitTimeout = WAIT_TIMEOUT_S }: Pick<PublishFlags, 'waitTimeout'>,
  { terminal, signal, ...context }: CliContext,
): Promise<number> {
  if (sent.length === 0) return 0;
  const startedAt = Date.now();
  const isOver = () => Date.now() >= startedAt + waitTimeout * 1_000;
  const progress = startProgress('Waiting for deliveries', { terminal, signal, ...context });
  const pending = new Set(sent);
  let failed = 0;
  try {
    const connected = listRecords((await runGraphql('query { connections { destination } }')).connections);
    // Only an article that is public now is delivered now.
    const listExpected = ({ document: { draft }, published }: PublishedDocument) =>
      published.article.status !== 'PUBLISHED'
        ? []
        : listDestinations(draft).filter((key) => connected.some(({ destination }) => destination === key));
    for (;;) {
      let missing = 0;
      for (const item of [...pending]) {
        const { document, published } = item;
        const expected = listExpected(item);
        const article = await fetchOwnArticle(runGraphql, published.article.id);
        if (article === null) {
          throw createFailure('The article is published, but its deliveries cannot be followed.', {
            hints: ['The session and the token belong to different authors: see "courant whoami".'],
          });
        }
        const deliveries = article.deliveries.filter(({ destination }) => expected.includes(destination));
        const lacking = expected.length - deliveries.filter((delivery) => isCurrent(delivery, article)).length;
        if (!isOver() && !isDone(expected, article, Date.now() - startedAt)) missing += lacking;
        else {
          pending.delete(item);
          reporter.published(document, published, deliveries);
          failed += lacking;
        }
      }
      if (pending.size === 0) break;
      progress.update(`Waiting for ${missing} ${missing === 1 ? 'delivery' : 'deliveries'}`);
      await sleep(POLL_MS + pending.size * POLL_PER_ARTICLE_MS, signal);
    }
  } catch (error) {
    // Also after Ctrl-C or the end of the session, published articles are reported.
    progress.stop();
    for (const { document, published } of pending) reporter.published(document, published);
    throw error;
  } finally {
    progress.stop();
  }
  if (failed > 0 && isOver())
    terminal.note('Some deliveries have no outcome yet. They continue on the server: courant status <file>');
  return failed;
}

const POLL_MS = 500;
/** Each article is one request; the server allows about ten per second. */
const POLL_PER_ARTICLE_MS = 250;
/** Delivery rows change shortly after the publish. Before this, a final state may be outdated. */
const MIN_WAIT_MS = 3_000;

/** True if no expected delivery of the article can change by itself any more. */
export function isDone(expected: DestinationKey[], article: OwnArticle, sinceMs: number): boolean {
  return expected.every((key) => {
    const delivery = article.deliveries.find(({ destination }) => destination === key);
    if (delivery === undefined) return false;
    return isCurrent(delivery, article) || (isFinal(delivery) && sinceMs >= MIN_WAIT_MS);
  });
}

const FINAL_STATES = ['failed', 'held', 'unknown', 'stale'];

/**
 * `stale` is not final while the update is retried. A retry that is due and has not begun has
 * neither a next attempt nor an error code.
 */
function isFinal({ state, nextAttemptAt, errorCode }: Delivery): boolean {
  return FINAL_STATES.includes(state) && nextAttemptAt === null && (state !== 'stale' || errorCode !== null);
}

/** True if the destination has this revision, not only an earlier one. */
function isCurrent(delivery: Delivery, { revision }: OwnArticle): boolean {
  return hasSucceeded(delivery) && (delivery.deliveredRevision ?? 0) >= revision;
}
