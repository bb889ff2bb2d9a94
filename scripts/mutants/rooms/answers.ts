/** Mutants of public responses: response cache, validators, and the listener for changes. */
import type { MutatedFile } from '../mutant.ts';

const KEPT = ['test/api/http-cache/response-cache.test.ts'];

export const RESPONSES: readonly MutatedFile[] = [
  {
    file: 'api/http-cache/response-cache.ts',
    tests: KEPT,
    mutants: [
      {
        mistake: 'a cached response is used without a recent confirmation by the database',
        from: ' && performance.now() - confirmedAt < LEASE_MS',
        to: '',
      },
      {
        mistake: 'a cached response is used while there is no LISTEN connection',
        from: 'isListening && confirmedAt >= distrustedAt',
        to: 'confirmedAt >= distrustedAt',
      },
      {
        mistake: 'an unconfirmed cached response is sent',
        from: 'isListening && confirmedAt >= distrustedAt',
        to: 'isListening',
      },
      {
        mistake: 'a response that a change made stale is cached',
        from: ' || cached.cacheTags.some((tag) => changed.has(tag))) return;',
        to: ') return;',
      },
      {
        mistake: 'a response that a complete invalidation made stale is cached',
        from: 'if (tags === null) isStale = true;',
        to: 'if (tags === null) isStale = false;',
      },
      {
        mistake: 'a change does not remove cached responses',
        from: 'for (const { key } of [...(byTag.get(tag) ?? [])]) entries.delete(key);',
        to: '',
      },
      {
        mistake: 'a lost connection does not disable the cache',
        from: 'onLost() {\n        isListening = false;',
        to: 'onLost() {',
      },
      {
        mistake: 'a client that accepts Markdown gets the HTML page',
        from: 'return response?.variesByAccept ? undefined : response;',
        to: 'return response;',
        tests: [...KEPT, 'test/api/discovery/prefers-markdown.test.ts', 'test/api/http-cache/freshness.test.ts'],
      },
    ],
  },
  {
    file: 'api/http-cache/public-responder.ts',
    tests: ['test/api/http-cache/response-cache.test.ts', 'test/api/http-cache/freshness.test.ts'],
    mutants: [
      {
        mistake: 'a request after a change gets a response whose rendering started before it',
        from: 'if (running && running.version === cache.version) return running.response;',
        to: 'if (running) return running.response;',
      },
    ],
  },
  {
    file: 'api/http-cache/preconditions.ts',
    tests: ['test/api/http-cache/preconditions.test.ts'],
    mutants: [
      {
        mistake: 'the date counts in addition to an ETag',
        from: `return tags === etag || includesTag(tags, etag) ? 'tag' : null;`,
        to: `if (tags === etag || includesTag(tags, etag)) return 'tag';`,
      },
      { mistake: 'a date in the future is accepted', from: ' && date <= Date.now()', to: '' },
      {
        mistake: 'only the first ETag of a list counts',
        from: 'if (found[1] === etag) isIncluded = true;',
        to: 'return found[1] === etag;',
      },
    ],
  },
  {
    file: 'api/http-cache/encodings.ts',
    tests: ['test/api/http-cache/encodings.test.ts'],
    mutants: [
      {
        mistake: 'an encoding with the weight 0 is used',
        from: 'weight > bestWeight || (weight === bestWeight && weight > 0',
        to: 'weight >= bestWeight || (weight === bestWeight && weight > 0',
      },
      {
        mistake: 'a client without Accept-Encoding gets a compressed body',
        from: `header === undefined ? 'identity' : choose(header)`,
        to: `header === undefined ? 'br' : choose(header)`,
      },
    ],
  },
  {
    file: 'api/http-cache/cached-response.ts',
    tests: ['test/api/http-cache/cached-response.test.ts', 'test/api/http-cache/response-cache.test.ts'],
    mutants: [
      {
        mistake: 'all encodings have the same strong ETag',
        from: '`"${this.#hash}-${coding}"`',
        to: '`"${this.#hash}"`',
      },
      {
        mistake: 'two versions of the same second have the same date',
        from: '(Math.floor(lastModified.getTime() / 1000) + 1) * 1000',
        to: 'Math.floor(lastModified.getTime() / 1000) * 1000',
      },
      {
        mistake: 'a 404 response is cached',
        from: '(response.status === 200 || response.status === 301) && response.cacheTags.length > 0',
        to: 'response.cacheTags.length > 0',
      },
    ],
  },
  {
    file: 'api/http-cache/own-writes.ts',
    tests: ['test/api/http-cache/own-writes.test.ts'],
    mutants: [
      {
        mistake: 'an author sees the former page after a change',
        from: 'if (READS.has(method) || is404) return;',
        to: 'return;',
      },
      {
        mistake: 'missing notifications do not invalidate the cache',
        from: 'cache.delayReadsUntil(listener.catchUp(CATCH_UP_TIMEOUT_MS));',
        to: 'cache.delayReadsUntil(listener.catchUp(CATCH_UP_TIMEOUT_MS).then(() => true));',
      },
    ],
  },
  {
    file: 'api/notifications/stream/notification-listener.ts',
    tests: ['test/api/notifications/half-open-listener.test.ts', 'test/api/background/database-restart.test.ts'],
    mutants: [
      {
        mistake: 'the LISTEN connection is never probed',
        from: 'Promise.race([broken, probeUntilUnanswered(probe, finished.signal)])',
        to: 'broken',
      },
      { mistake: 'a response can wait forever', from: 'query_timeout: RESPONSE_TIMEOUT_MS,', to: '' },
      {
        mistake: 'the listeners are not notified of a lost connection',
        from: 'for (const { onLost } of deps.audiences) onLost?.();',
        to: '',
        tests: ['test/api/http-cache/own-writes.test.ts'],
      },
      {
        mistake: 'a probe counts from its response instead of its start',
        from: 'for (const { onCaughtUp } of audiences) onCaughtUp?.(probedAt);',
        to: 'for (const { onCaughtUp } of audiences) onCaughtUp?.(performance.now());',
        tests: ['test/api/http-cache/own-writes.test.ts'],
      },
    ],
  },
];
