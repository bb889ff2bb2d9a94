/** Serves the card that social networks show with a link. Its path has a hash of its content. */
import { readFile } from 'node:fs/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { buildCardPath, type Card, describeCard, hashCard, readCardName } from '../../../article/cards/card.ts';
import { createThreadPool, ThreadLimitError } from '../../../runtime/threads/pool.ts';
import type { PublicDeps } from '../../deps.ts';
import { FOR_ANY_ORIGIN, type PermanentRedirect, type PublicResponse } from '../../http-cache/public-response.ts';
import { createAbsenceProblem } from '../page/absence.ts';
import { findArticle } from '../page/find-article.ts';
import type { CardTask } from './worker.ts';

const PNG_TYPE = 'image/png';
/** About 200 cards. Drawing one again takes 0.03 s, so a disk cache would save little. */
const MAX_BYTES = 10 * 1024 * 1024;
/** A failure is cached too, so that not every request tries again. */
const FAILED = { ttlMs: 10 * 60_000, bytes: 200 };
/**
 * An ordinary card takes 0.03 s; the first one of a thread takes 0.4 s more. Social networks stop
 * waiting after about ten seconds.
 */
const LIMITS = { timeLimitMs: 5_000, wallLimitMs: 15_000, maxWaitMs: 8_000, niceness: 5 };
/** A picture never changes at its address, but expires daily in case of a withdrawal. */
const FOR_A_DAY = { 'cache-control': 'public, max-age=86400, immutable', ...FOR_ANY_ORIGIN } as const;

export async function cardRoutes(app: FastifyInstance, deps: PublicDeps) {
  const { responder, config } = deps;
  const pictures = createCardPictures(deps);
  app.addHook('onClose', () => pictures.close());

  app.get<{ Params: { name: string } }>('/cards/:name', (request, reply) => {
    const requested = readCardName(request.params.name);
    if (!requested) throw createAbsenceProblem({ kind: 'nothing' });
    return responder.send(request, reply, {
      key: buildCardPath(requested.slug, requested.hash),
      make: () => buildResponse(requested.slug, requested.hash),
    });
  });

  async function buildResponse(slug: string, hash: string): Promise<PublicResponse | PermanentRedirect> {
    const found = await findArticle(deps, slug, { whenUnderived: 'show' });
    if (found.kind === 'moved') {
      const target = await findArticle(deps, found.slug, { whenUnderived: 'show' });
      if (target.kind !== 'article') throw createAbsenceProblem(target);
      return redirect(found.slug, describeCard(target.article, config.baseUrl));
    }
    if (found.kind !== 'article') throw createAbsenceProblem(found);
    const { article, articleId, lastModified } = found;
    const card = describeCard(article, config.baseUrl);
    if (hashCard(card) !== hash) return redirect(slug, card);
    const body = await pictures.get(card);
    if (body === null) {
      return { status: 200, type: PNG_TYPE, body: await readDefaultCard(), lastModified: null, cacheTags: [] };
    }
    const changed = lastModified ?? article.updatedAt;
    const cacheTags = [`article:${articleId}`] as const;
    return { status: 200, type: PNG_TYPE, body, headers: FOR_A_DAY, lastModified: changed, cacheTags };
  }

  /** Without cache tags, so not cached: a client can invent any number of former addresses. */
  function redirect(slug: string, card: Card): PermanentRedirect {
    return { status: 301, location: `${config.baseUrl}${buildCardPath(slug, hashCard(card))}`, cacheTags: [] };
  }
}

/** Reads the fallback picture, which this code drew once. */
function readDefaultCard(): Promise<Buffer> {
  return readFile(new URL('./default-card.png', import.meta.url));
}

/**
 * Caches pictures by content hash, in bounded memory. Concurrent requests for a card share one
 * drawing. A separate thread draws, so that no publish waits for it. The thread takes 75 to 150 MB
 * for fonts and WebAssembly, and ends when idle.
 */
function createCardPictures({ log }: { log: FastifyBaseLogger }) {
  const threads = createThreadPool<CardTask, Uint8Array>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    ...LIMITS,
  });
  const pictures = new LRUCache<string, { picture: Buffer | null }, Card>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ picture }) => picture?.length ?? FAILED.bytes,
    async fetchMethod(hash, _stale, { context: card, options }) {
      try {
        return { picture: Buffer.from(await threads.run(hash, { card })) };
      } catch (error) {
        const wasBusy = error instanceof ThreadLimitError && error.limit === 'wait';
        options.ttl = wasBusy ? 1 : FAILED.ttlMs;
        log.warn({ err: error, title: card.title }, 'cannot draw a card; showing the default card');
        return { picture: null };
      }
    },
  });
  return {
    /** Returns a PNG, or null if drawing fails or the thread is busy. */
    get: async (card: Card) => (await pictures.forceFetch(hashCard(card), { context: card })).picture,
    close: () => threads.destroy(),
  };
}
