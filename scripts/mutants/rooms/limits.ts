/** Mutants of rate and size limits: publishes, passwords, documents, streams. */
import type { MutatedFile } from '../mutant.ts';

export const LIMITS: readonly MutatedFile[] = [
  {
    file: 'store/tokens/developer-tokens.ts',
    tests: ['test/store/users/developer-tokens.test.ts'],
    mutants: [
      {
        mistake: 'publishes are counted by author and not by token',
        from: `sql\`select 'publish:' || token_id from owner\``,
        to: `sql\`select 'publish:' || user_id from owner\``,
        tests: ['test/api/publishing/rate-limit.test.ts'],
      },
      {
        mistake: 'a revoked token publishes',
        from: 'and token.revoked_at is null',
        to: '',
      },
      {
        mistake: 'an expired token publishes',
        from: 'token.expires_at > ${now}',
        to: 'true',
      },
      {
        mistake: 'somebody revokes another’s token',
        from: `.where('userId', '=', options.userId)\n    .where('revokedAt', 'is', null)`,
        to: `.where('revokedAt', 'is', null)`,
        tests: ['test/api/graphql/ownership.test.ts'],
      },
    ],
  },
  {
    file: 'store/rate-limits/counters.ts',
    tests: ['test/store/rate-limits/counters.test.ts'],
    mutants: [
      {
        mistake: 'a window never ends',
        from: 'count = case when r.resets_at <= clock_timestamp() then 1 else r.count + 1 end',
        to: 'count = r.count + 1',
      },
      {
        mistake: 'each hit lengthens the window',
        from: 'then clock_timestamp() + ${window} else r.resets_at end',
        to: 'then clock_timestamp() + ${window} else clock_timestamp() + ${window} end',
      },
      {
        mistake: 'a hit that is given back goes below nothing',
        from: 'and count > 0 and resets_at',
        to: 'and resets_at',
      },
    ],
  },
  {
    file: 'api/publishing/request.ts',
    tests: ['test/api/publishing/errors.test.ts'],
    mutants: [
      {
        mistake: 'the bound of a mebibyte is one of characters',
        from: 'const bytes = Buffer.byteLength(text);',
        to: 'const bytes = text.length;',
      },
      {
        mistake: 'a document of just a mebibyte is refused',
        from: 'if (bytes <= MAX_CONTENT_BYTES) return;',
        to: 'if (bytes < MAX_CONTENT_BYTES) return;',
      },
      {
        mistake: 'of two different texts one is taken',
        from: 'isPresent(content) && isPresent(markdown) && content !== markdown',
        to: 'false',
      },
    ],
  },
  {
    file: 'api/auth/login-limits.ts',
    tests: ['test/api/auth/login-limits.test.ts'],
    mutants: [
      {
        mistake: 'a right password counts as a failure',
        from: 'if (!isWrong) await attempt.giveBack();',
        to: 'if (isWrong) await attempt.giveBack();',
      },
      {
        mistake: 'an IPv6 client has a limit for each of its addresses',
        from: 'index < 8 ? byte : 0',
        to: 'byte',
      },
      {
        mistake: 'a stranger locks the owner of an account out',
        from: 'ofAccount.current > ACCOUNT_FAILURES && ofPair.current > PAIR_FAILURES_UNDER_ATTACK',
        to: 'ofAccount.current > ACCOUNT_FAILURES',
      },
      {
        mistake: 'one password is tried at any number of accounts',
        from: 'if (ofNetwork.current > NETWORK_FAILURES)',
        to: 'if (ofNetwork.current > 1e9)',
      },
      {
        mistake: 'spelling the address otherwise gives new tries',
        from: 'email.toLowerCase().slice(0, 320)',
        to: 'email.slice(0, 320)',
      },
    ],
  },
  {
    file: 'api/auth/developer-token.ts',
    tests: ['test/api/publishing/rate-limit.test.ts', 'test/api/publishing/errors.test.ts'],
    mutants: [
      {
        mistake: 'made-up tokens are tried without end',
        from: 'if (current > FAILURES_PER_MINUTE) {',
        to: 'if (current > 1e9) {',
      },
      {
        mistake: 'what a suspended author sends is read before it is refused',
        from: 'if (getTokenOwner(request).suspended) throw',
        to: 'if (!getTokenOwner(request)) throw',
        tests: ['test/api/publishing/errors.test.ts'],
      },
    ],
  },
  {
    file: 'api/readers/limits.ts',
    tests: ['test/api/readers/interactions.test.ts', 'test/api/readers/reader-forms.test.ts'],
    mutants: [{ mistake: 'acts are not counted', from: 'if (current > limit) throw', to: 'if (current > 1e9) throw' }],
  },
  {
    file: 'api/notifications/stream/stream-limits.ts',
    tests: ['test/api/notifications/stream-limits.test.ts'],
    mutants: [
      {
        mistake: 'one author’s streams have no bound',
        from: 'ofUser.size >= limits.perUser',
        to: 'ofUser.size >= 1e9',
      },
      {
        mistake: 'the newest stream goes for a new one',
        from: 'const [oldest] = streams;',
        to: 'const oldest = [...streams].at(-1);',
      },
      {
        mistake: 'a stream that had to go comes back for ever',
        from: 'if (!entry || entry.until <= now()) return false;',
        to: 'if (entry !== undefined) return false;\n      if (!entry) return false;',
      },
    ],
  },
  {
    file: 'destinations/http/exchange.ts',
    tests: ['test/destinations/http/exchange.test.ts'],
    mutants: [
      {
        mistake: 'an answer has no bound unless its request names one',
        from: 'request.maxBytes ?? DEFAULT_MAX_BYTES',
        to: 'request.maxBytes ?? Number.POSITIVE_INFINITY',
      },
      {
        mistake: 'a compressed answer is asked for',
        from: `'accept-encoding': 'identity'`,
        to: `'accept-encoding': 'gzip'`,
      },
      {
        mistake: 'a request that may have arrived was never sent',
        from: `progress.connected ? 'lost' : 'neverSent'`,
        to: `progress.connected ? 'neverSent' : 'neverSent'`,
      },
      {
        mistake: 'a call that is cancelled is sent',
        from: `if (context.signal?.aborted) return { kind: 'neverSent', cause: 'the call was cancelled' };`,
        to: '',
      },
    ],
  },
  {
    file: 'destinations/http/retry-after.ts',
    tests: ['test/destinations/http/retry-after.test.ts'],
    mutants: [
      { mistake: 'seconds are milliseconds', from: 'bound(Number(text) * 1000)', to: 'bound(Number(text))' },
      {
        mistake: 'a platform makes us wait for days',
        from: 'Math.min(Math.max(Math.ceil(milliseconds), 0), LONGEST_RETRY_AFTER_MS)',
        to: 'Math.max(Math.ceil(milliseconds), 0)',
      },
    ],
  },
  {
    file: 'destinations/http/rate-headers.ts',
    tests: ['test/destinations/http/rate-headers.test.ts'],
    mutants: [
      {
        mistake: 'a budget that is left pauses the account',
        from: 'Number(remaining) > 0',
        to: 'Number(remaining) < 0',
      },
      { mistake: 'a moment is read as a duration', from: 'seconds > 1_000_000_000', to: 'seconds > 1e12' },
    ],
  },
  {
    file: 'destinations/http/read-json.ts',
    tests: ['test/destinations/http/read-json.test.ts'],
    mutants: [
      {
        mistake: 'millions of values are parsed',
        from: 'if (parts > MAX_PARTS) return true;',
        to: 'if (parts < 0) return true;',
      },
    ],
  },
];
