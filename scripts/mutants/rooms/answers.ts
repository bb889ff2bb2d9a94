/** Mutants of public responses: response cache, validators, and the listener for changes. */
import type { MutatedFile } from '../mutant.ts';

const KEPT = ['test/api/http-cache/response-cache.test.ts'];

export const ANSWERS: readonly MutatedFile[] = [
  {
    file: 'api/http-cache/response-cache.ts',
    tests: KEPT,
    mutants: [
      {
        mistake: 'what is kept is trusted without a word from the database',
        from: ' && performance.now() - confirmedAt < LEASE_MS',
        to: '',
      },
      {
        mistake: 'what is kept is trusted while nobody listens',
        from: 'isListening && confirmedAt >= distrustedAt',
        to: 'confirmedAt >= distrustedAt',
      },
      { mistake: 'an answer in doubt is sent', from: 'isListening && confirmedAt >= distrustedAt', to: 'isListening' },
      {
        mistake: 'an answer that was overtaken by a change is kept',
        from: ' || sendable.shows.some((tag) => changed.has(tag))) return;',
        to: ') return;',
      },
      {
        mistake: 'an answer that everything overtook is kept',
        from: 'if (tags === null) isStale = true;',
        to: 'if (tags === null) isStale = false;',
      },
      {
        mistake: 'a change drops nothing',
        from: 'for (const { key } of [...(byTag.get(tag) ?? [])]) entries.delete(key);',
        to: '',
      },
      {
        mistake: 'a lost connection leaves what is kept',
        from: 'onLost() {\n        isListening = false;',
        to: 'onLost() {',
      },
      {
        mistake: 'who asks for Markdown gets the page',
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
        mistake: 'who asks after a change gets what was begun before it',
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
        mistake: 'a date counts beside a tag',
        from: `return tags === etag || namesTag(tags, etag) ? 'tag' : null;`,
        to: `if (tags === etag || namesTag(tags, etag)) return 'tag';`,
      },
      { mistake: 'a date in the future is believed', from: ' && date <= Date.now()', to: '' },
      {
        mistake: 'only the first tag of a list counts',
        from: 'if (found[1] === etag) isNamed = true;',
        to: 'return found[1] === etag;',
      },
    ],
  },
  {
    file: 'api/http-cache/encodings.ts',
    tests: ['test/api/http-cache/encodings.test.ts'],
    mutants: [
      {
        mistake: 'a coding with the weight 0 is sent',
        from: 'weight > bestWeight || (weight === bestWeight && weight > 0',
        to: 'weight >= bestWeight || (weight === bestWeight && weight > 0',
      },
      {
        mistake: 'a client that names no coding gets a compressed body',
        from: `header === undefined ? 'identity' : choose(header)`,
        to: `header === undefined ? 'br' : choose(header)`,
      },
    ],
  },
  {
    file: 'api/http-cache/cached-response.ts',
    tests: ['test/api/http-cache/cached-response.test.ts', 'test/api/http-cache/response-cache.test.ts'],
    mutants: [
      { mistake: 'each coding has the same strong tag', from: '`"${this.#hash}-${coding}"`', to: '`"${this.#hash}"`' },
      {
        mistake: 'a date names two versions of one second',
        from: '(Math.floor(lastModified.getTime() / 1000) + 1) * 1000',
        to: 'Math.floor(lastModified.getTime() / 1000) * 1000',
      },
      {
        mistake: 'what is not there is kept',
        from: '(answer.status === 200 || answer.status === 301) && answer.shows.length > 0',
        to: 'answer.shows.length > 0',
      },
    ],
  },
  {
    file: 'api/notifications/stream/own-writes.ts',
    tests: ['test/api/http-cache/own-writes.test.ts'],
    mutants: [
      {
        mistake: 'who has changed something sees the former page',
        from: 'if (READS.has(method) || is404) return;',
        to: 'return;',
      },
      {
        mistake: 'where announcements do not come nothing is doubted',
        from: 'kept.settle(listener.catchUp(CATCH_UP_TIMEOUT_MS));',
        to: 'kept.settle(listener.catchUp(CATCH_UP_TIMEOUT_MS).then(() => true));',
      },
    ],
  },
  {
    file: 'api/notifications/stream/notification-listener.ts',
    tests: ['test/api/notifications/half-open-listener.test.ts', 'test/api/background/database-restart.test.ts'],
    mutants: [
      {
        mistake: 'the connection is never asked whether it still hears',
        from: 'Promise.race([broken, probeUntilUnanswered(probe, over.signal)])',
        to: 'broken',
      },
      { mistake: 'an answer waits for ever', from: 'query_timeout: RESPONSE_TIMEOUT_MS,', to: '' },
      {
        mistake: 'who lost the connection is not told',
        from: 'for (const { onLost } of deps.audiences) onLost?.();',
        to: '',
        tests: ['test/api/http-cache/own-writes.test.ts'],
      },
      {
        mistake: 'a question counts as asked when it is answered',
        from: 'for (const { onHeard } of audiences) onHeard?.(askedAt);',
        to: 'for (const { onHeard } of audiences) onHeard?.(performance.now());',
        tests: ['test/api/http-cache/own-writes.test.ts'],
      },
    ],
  },
];
