/** `--wait`: follows the deliveries of what was just published until each has an outcome. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliContext } from '../../context.ts';
import { createFailure } from '../../failure.ts';
import { isRecord } from '../../server/json.ts';
import type { Ask } from '../../server/session.ts';
import { startProgress } from '../../terminal/progress.ts';
import { askForArticle, type Delivery, hasSucceeded, type OwnArticle } from '../deliveries.ts';
import { type PublishFlags, WAIT_TIMEOUT_S } from './flags.ts';
import type { Sent } from './job.ts';
import type { Reporter } from './results.ts';

/** How many deliveries have not succeeded: those that ended otherwise, and those that have no outcome in time. */
export async function waitForDeliveries(
  sent: Sent[],
  ask: Ask,
  reporter: Reporter,
  flags: Pick<PublishFlags, 'waitTimeout'>,
  context: CliContext,
): Promise<number> {
  if (sent.length === 0) return 0;
  const begun = Date.now();
  const end = begun + (flags.waitTimeout ?? WAIT_TIMEOUT_S) * 1_000;
  const progress = startProgress('Waiting for the deliveries', context);
  let left = sent.map((one): Waiting => ({ ...one, wanted: [] }));
  let failed = 0;
  try {
    const connected = await listConnected(ask);
    left = left.map((one) => ({ ...one, wanted: listWanted(one, connected) }));
    while (left.length > 0) {
      const looks = await lookAt(left, ask);
      const isOver = Date.now() >= end;
      const done = looks.filter(({ one, article }) => isOver || isComplete(one.wanted, article, Date.now() - begun));
      for (const { one, article } of done) {
        const deliveries = article.deliveries.filter(({ destination }) => one.wanted.includes(destination));
        reporter.delivered(one.job, one.published, deliveries);
        failed += one.wanted.length - deliveries.filter((delivery) => isCurrent(delivery, article)).length;
      }
      left = looks.filter((look) => !done.includes(look)).map(({ one }) => one);
      if (left.length === 0) break;
      progress.say(describe(looks.filter((look) => !done.includes(look))));
      await sleep(ROUND_MS + left.length * EACH_MS, undefined, { signal: context.signal }).catch(() =>
        context.signal.throwIfAborted(),
      );
    }
  } catch (error) {
    // Ctrl-C, or a session that ended: what is published is said all the same.
    progress.stop();
    for (const { job, published } of left) reporter.published(job, published);
    throw error;
  } finally {
    progress.stop();
  }
  if (failed > 0 && Date.now() >= end) {
    context.terminal.note('Not all had an outcome in time; they go on at the server: courant status <file>');
  }
  return failed;
}

const ROUND_MS = 500;
/** Each article is a question; the server allows some ten a second. */
const EACH_MS = 250;

type Waiting = Sent & { wanted: string[] };
interface Look {
  one: Waiting;
  article: OwnArticle;
}

async function listConnected(ask: Ask): Promise<string[]> {
  const { connections } = await ask('query { connections { destination } }');
  return Array.isArray(connections) ? connections.filter(isRecord).map(({ destination }) => String(destination)) : [];
}

/** Only what is public now is delivered now. */
function listWanted({ job, published }: Sent, connected: string[]): string[] {
  return published.article.status === 'PUBLISHED' ? job.enabled.filter((key) => connected.includes(key)) : [];
}

async function lookAt(waiting: Waiting[], ask: Ask): Promise<Look[]> {
  const looks: Look[] = [];
  for (const one of waiting) {
    const article = await askForArticle(ask, one.published.article.id);
    if (article !== null) looks.push({ one, article });
    else {
      throw createFailure('It is published, but its deliveries cannot be followed.', {
        hints: ['The session belongs to another author than the token: see "courant whoami".'],
      });
    }
  }
  return looks;
}

/** Rows are made, and begin to change, a moment after the publish: an ending that was there before counts only once it has stayed. */
const STAY_MS = 3_000;

function isComplete(wanted: string[], article: OwnArticle, sinceMs: number): boolean {
  return wanted.every((key) => {
    const delivery = article.deliveries.find(({ destination }) => destination === key);
    if (delivery === undefined) return false;
    return isCurrent(delivery, article) || (hasEnded(delivery) && sinceMs >= STAY_MS);
  });
}

const ENDED = ['failed', 'held', 'unknown', 'stale'];

/** A copy is stale too while its update is tried again. */
function hasEnded({ state, nextAttemptAt }: Delivery): boolean {
  return ENDED.includes(state) && nextAttemptAt === null;
}

/** The destination has this revision, and not only an earlier one. */
function isCurrent(delivery: Delivery, { revision }: OwnArticle): boolean {
  return hasSucceeded(delivery) && (delivery.deliveredRevision ?? 0) >= revision;
}

function describe(looks: Look[]): string {
  const open = looks.flatMap(({ one, article }) =>
    one.wanted.filter(
      (key) => !article.deliveries.some((delivery) => delivery.destination === key && isCurrent(delivery, article)),
    ),
  );
  return `Waiting for ${open.length} ${open.length === 1 ? 'delivery' : 'deliveries'}`;
}
