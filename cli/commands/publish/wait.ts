/** `--wait`: follows the deliveries of the published articles until each has an outcome. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliContext } from '../../context.ts';
import { createFailure } from '../../failure.ts';
import { isRecord } from '../../server/json.ts';
import type { RunGraphql } from '../../server/session.ts';
import { startProgress } from '../../terminal/progress.ts';
import { type Delivery, fetchOwnArticle, hasSucceeded, type OwnArticle } from '../deliveries.ts';
import { type PublishFlags, WAIT_TIMEOUT_S } from './flags.ts';
import type { PublishedJob } from './job.ts';
import type { Reporter } from './results.ts';

/** Returns the number of deliveries that failed or had no outcome in time. */
export async function waitForDeliveries(
  sent: PublishedJob[],
  runGraphql: RunGraphql,
  reporter: Reporter,
  flags: Pick<PublishFlags, 'waitTimeout'>,
  context: CliContext,
): Promise<number> {
  if (sent.length === 0) return 0;
  const startedAt = Date.now();
  const end = startedAt + (flags.waitTimeout ?? WAIT_TIMEOUT_S) * 1_000;
  const progress = startProgress('Waiting for deliveries', context);
  let pending = sent.map((item): PendingArticle => ({ ...item, expected: [] }));
  let failed = 0;
  try {
    const connected = await listConnected(runGraphql);
    pending = pending.map((item) => ({ ...item, expected: listExpected(item, connected) }));
    while (pending.length > 0) {
      const results = await fetchArticles(pending, runGraphql);
      const isOver = Date.now() >= end;
      const done = results.filter(
        ({ item, article }) => isOver || isDone(item.expected, article, Date.now() - startedAt),
      );
      for (const { item, article } of done) {
        const deliveries = article.deliveries.filter(({ destination }) => item.expected.includes(destination));
        reporter.delivered(item.job, item.published, deliveries);
        failed += item.expected.length - deliveries.filter((delivery) => isCurrent(delivery, article)).length;
      }
      pending = results.filter((result) => !done.includes(result)).map(({ item }) => item);
      if (pending.length === 0) break;
      progress.update(describe(results.filter((result) => !done.includes(result))));
      await sleep(POLL_MS + pending.length * POLL_PER_ARTICLE_MS, undefined, { signal: context.signal }).catch(() =>
        context.signal.throwIfAborted(),
      );
    }
  } catch (error) {
    // Also after Ctrl-C or the end of the session, published articles are reported.
    progress.stop();
    for (const { job, published } of pending) reporter.published(job, published);
    throw error;
  } finally {
    progress.stop();
  }
  if (failed > 0 && Date.now() >= end) {
    context.terminal.note('Some deliveries have no outcome yet. They continue on the server: courant status <file>');
  }
  return failed;
}

const POLL_MS = 500;
/** Each article is one request; the server allows about ten per second. */
const POLL_PER_ARTICLE_MS = 250;

type PendingArticle = PublishedJob & { expected: string[] };
interface FetchedArticle {
  item: PendingArticle;
  article: OwnArticle;
}

async function listConnected(sendQuery: RunGraphql): Promise<string[]> {
  const { connections } = await sendQuery('query { connections { destination } }');
  return Array.isArray(connections) ? connections.filter(isRecord).map(({ destination }) => String(destination)) : [];
}

/** Only an article that is public now is delivered now. */
function listExpected({ job, published }: PublishedJob, connected: string[]): string[] {
  return published.article.status === 'PUBLISHED' ? job.enabled.filter((key) => connected.includes(key)) : [];
}

async function fetchArticles(waiting: PendingArticle[], sendQuery: RunGraphql): Promise<FetchedArticle[]> {
  const results: FetchedArticle[] = [];
  for (const item of waiting) {
    const article = await fetchOwnArticle(sendQuery, item.published.article.id);
    if (article !== null) results.push({ item, article });
    else {
      throw createFailure('The article is published, but its deliveries cannot be followed.', {
        hints: ['The session and the token belong to different authors: see "courant whoami".'],
      });
    }
  }
  return results;
}

/** Delivery rows change shortly after the publish. Before this, a final state may be outdated. */
const MIN_WAIT_MS = 3_000;

/** True if no expected delivery of the article can change by itself any more. */
export function isDone(expected: string[], article: OwnArticle, sinceMs: number): boolean {
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

function describe(results: FetchedArticle[]): string {
  const pendingKeys = results.flatMap(({ item, article }) =>
    item.expected.filter(
      (key) => !article.deliveries.some((delivery) => delivery.destination === key && isCurrent(delivery, article)),
    ),
  );
  return `Waiting for ${pendingKeys.length} ${pendingKeys.length === 1 ? 'delivery' : 'deliveries'}`;
}
