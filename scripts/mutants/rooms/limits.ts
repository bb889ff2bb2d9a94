/** Mutants of rate and size limits: publishes, passwords, documents, streams. */
import type { MutatedFile } from '../mutant.ts';

export const LIMITS: readonly MutatedFile[] = [
  {
    file: 'store/tokens/developer-tokens.ts',
    tests: ['test/store/users/developer-tokens.test.ts'],
    mutants: [
      {
        mistake: 'publishes are counted per author instead of per token',
        from: `sql\`select 'publish:' || token_id from owner\``,
        to: `sql\`select 'publish:' || user_id from owner\``,
        tests: ['test/api/publishing/rate-limit.test.ts'],
      },
      {
        mistake: 'a revoked token can publish',
        from: 'and token.revoked_at is null',
        to: '',
      },
      {
        mistake: 'an expired token can publish',
        from: 'token.expires_at > ${now}',
        to: 'true',
      },
      {
        mistake: 'a user can revoke the token of another user',
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
        mistake: 'a rate limit window never ends',
        from: 'count = case when r.resets_at <= clock_timestamp() then 1 else r.count + 1 end',
        to: 'count = r.count + 1',
      },
      {
        mistake: 'each hit extends the window',
        from: 'then clock_timestamp() + ${window} else r.resets_at end',
        to: 'then clock_timestamp() + ${window} else clock_timestamp() + ${window} end',
      },
      {
        mistake: 'a returned hit makes the count negative',
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
        mistake: 'the limit of 1 MiB counts characters instead of bytes',
        from: 'const bytes = Buffer.byteLength(text);',
        to: 'const bytes = text.length;',
      },
      {
        mistake: 'a document of exactly 1 MiB is rejected',
        from: 'if (bytes <= MAX_CONTENT_BYTES) return;',
        to: 'if (bytes < MAX_CONTENT_BYTES) return;',
      },
      {
        mistake: 'two different texts in one request are accepted',
        from: 'isPresent(content) && isPresent(markdown) && content !== markdown',
        to: 'false',
      },
    ],
  },
  {
    file: 'api/plugins/network.ts',
    tests: ['test/api/auth/login-limits.test.ts'],
    mutants: [
      {
        mistake: 'each address of an IPv6 client has its own limit',
        from: 'index < 8 ? byte : 0',
        to: 'byte',
      },
    ],
  },
  {
    file: 'api/auth/login-limits.ts',
    tests: ['test/api/auth/login-limits.test.ts'],
    mutants: [
      {
        mistake: 'a correct password counts as a failure',
        from: 'if (!isWrong) await attempt.undoCount();',
        to: 'if (isWrong) await attempt.undoCount();',
      },
      {
        mistake: 'failed logins of a stranger lock out the owner of an account',
        from: 'accountHits.current > ACCOUNT_FAILURES && pairHits.current > PAIR_FAILURES_UNDER_ATTACK',
        to: 'accountHits.current > ACCOUNT_FAILURES',
      },
      {
        mistake: 'one network can try passwords at any number of accounts',
        from: 'if (networkHits.current > NETWORK_FAILURES)',
        to: 'if (networkHits.current > 1e9)',
      },
      {
        mistake: 'another spelling of the address resets the limit',
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
        mistake: 'invalid tokens can be tried without limit',
        from: 'if (current > FAILURES_PER_MINUTE) {',
        to: 'if (current > 1e9) {',
      },
      {
        mistake: 'the body of a suspended author is read before the request is rejected',
        from: 'if (getTokenOwner(request).suspended) throw',
        to: 'if (!getTokenOwner(request)) throw',
        tests: ['test/api/publishing/errors.test.ts'],
      },
    ],
  },
  {
    file: 'api/readers/limits.ts',
    tests: ['test/api/readers/interactions.test.ts', 'test/api/readers/reader-forms.test.ts'],
    mutants: [{ mistake: 'actions are not counted', from: 'max: limits[span], windowMs', to: 'max: 1e9, windowMs' }],
  },
  {
    file: 'api/notifications/stream/stream-limits.ts',
    tests: ['test/api/notifications/stream-limits.test.ts'],
    mutants: [
      {
        mistake: 'an author can open any number of streams',
        from: 'evictOldest(byUser.get(stream.userId), perUser)',
        to: 'evictOldest(byUser.get(stream.userId), 1e9)',
      },
      {
        mistake: 'a new stream replaces the newest one instead of the oldest',
        from: 'const [oldest] = others ?? [];',
        to: 'const oldest = [...(others ?? [])].at(-1);',
      },
      {
        mistake: 'a replaced stream is rejected forever when it reconnects',
        from: 'evictedClients.delete(client)',
        to: 'evictedClients.has(client)',
      },
    ],
  },
  {
    file: 'destinations/http/exchange.ts',
    tests: ['test/destinations/http/exchange.test.ts'],
    mutants: [
      {
        mistake: 'a response has no size limit unless its request sets one',
        from: 'request.maxBytes ?? DEFAULT_MAX_BYTES',
        to: 'request.maxBytes ?? Number.POSITIVE_INFINITY',
      },
      {
        mistake: 'a compressed response is requested',
        from: `'accept-encoding': 'identity'`,
        to: `'accept-encoding': 'gzip'`,
      },
      {
        mistake: 'a request that may have arrived is recorded as never sent',
        from: `progress.connected ? 'lost' : 'neverSent'`,
        to: `progress.connected ? 'neverSent' : 'neverSent'`,
      },
      {
        mistake: 'a cancelled call is sent',
        from: `if (context.signal?.aborted) return { kind: 'neverSent', cause: 'the call was cancelled' };`,
        to: '',
      },
    ],
  },
  {
    file: 'destinations/http/retry-after.ts',
    tests: ['test/destinations/http/retry-after.test.ts'],
    mutants: [
      { mistake: 'seconds are read as milliseconds', from: 'bound(Number(text) * 1000)', to: 'bound(Number(text))' },
      {
        mistake: 'a platform can delay a retry by days',
        from: 'Math.min(Math.max(Math.ceil(milliseconds), 0), MAX_RETRY_AFTER_MS)',
        to: 'Math.max(Math.ceil(milliseconds), 0)',
      },
    ],
  },
  {
    file: 'destinations/http/rate-headers.ts',
    tests: ['test/destinations/http/rate-headers.test.ts'],
    mutants: [
      {
        mistake: 'a remaining rate budget pauses the account',
        from: 'Number(remaining) > 0',
        to: 'Number(remaining) < 0',
      },
      { mistake: 'a point in time is parsed as a duration', from: 'seconds > 1_000_000_000', to: 'seconds > 1e12' },
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
