/** Mutants of permissions and of the addresses that calls may use. */
import type { MutatedFile } from '../mutant.ts';

export const GUARDS: readonly MutatedFile[] = [
  {
    file: 'destinations/http/address-guard.ts',
    tests: ['test/destinations/http/address-guard.test.ts'],
    mutants: [
      {
        mistake: 'only the first IP address of a host name is checked',
        from: 'for (const { address } of addresses) checkIp',
        to: 'for (const { address } of addresses.slice(0, 1)) checkIp',
      },
      {
        mistake: 'an operator can allow the addresses of cloud credentials',
        from: 'if (ipaddr.isValid(plain) && !isBlockedAddress(plain)) {',
        to: 'if (ipaddr.isValid(plain)) {',
      },
      { mistake: 'a wrapped IPv4 address is public', from: 'return [ip, ...inside.map(', to: 'return [ip, ...[].map(' },
      {
        mistake: 'an address with a scope does not match the allowed address',
        from: `address.replace(/%.*$/, '')`,
        to: 'address',
      },
      {
        mistake: 'every address that the library calls unicast counts as public',
        from: `ip.kind() === 'ipv4' || ip.match(ipaddr.parseCIDR('2000::/3'))`,
        to: 'true',
      },
      {
        mistake: 'a credential is sent without TLS',
        from: `if (target.protocol === 'https:') return;`,
        to: 'return;',
      },
      {
        mistake: 'a URL with a numeric host is accepted',
        from: 'if (!address.toLowerCase().includes(url.hostname)) {',
        to: 'if (false) {',
      },
      {
        mistake: 'a password in a URL is accepted',
        from: `if (url.username !== '' || url.password !== '') {`,
        to: `if (url.username !== '' && url.password !== '') {`,
      },
      { mistake: 'a local host name is called', from: `!name.includes('.') || /`, to: '/' },
      {
        mistake: 'an allowed host is allowed at any port',
        from: 'if (allowed.port !== null && allowed.port !== findPort(target)) return false;',
        to: '',
      },
      {
        mistake: 'allowing private addresses also allows multicast',
        from: 'return PRIVATE_RANGES.has(ip.range());',
        to: 'return true;',
      },
    ],
  },
  {
    file: 'destinations/http/download.ts',
    tests: ['test/destinations/http/download.test.ts'],
    mutants: [
      { mistake: 'the number of redirects has no limit', from: 'hop <= MAX_REDIRECTS', to: 'hop <= 1e3' },
      {
        mistake: 'each redirect has the full timeout',
        from: 'const timeoutMs = Math.ceil(deadline - performance.now());',
        to: 'const { timeoutMs } = context;',
      },
      {
        mistake: 'an error page is accepted as the file',
        from: 'if (ended.status !== 200) return',
        to: 'if (ended.status === 0) return',
      },
    ],
  },
  {
    file: 'destinations/linkedin/call.ts',
    tests: ['test/destinations/linkedin/cover.test.ts', 'test/destinations/linkedin/client.test.ts'],
    mutants: [
      {
        mistake: 'the token is sent with an upload to any host',
        from: 'if (!canReceiveToken(url, baseUrl)) return false;',
        to: '',
      },
    ],
  },
  {
    file: 'destinations/linkedin/address.ts',
    tests: ['test/destinations/linkedin/cover.test.ts'],
    mutants: [
      {
        mistake: 'a host whose name ends like LinkedIn’s gets the token',
        from: '/(?:^|\\.)linkedin\\.com$/',
        to: '/linkedin\\.com$/',
      },
    ],
  },
  {
    file: 'api/auth/bearer.ts',
    tests: ['test/api/publishing/errors.test.ts'],
    mutants: [{ mistake: 'the scheme must be spelled `Bearer`', from: '([^\\s,]+)$/i', to: '([^\\s,]+)$/' }],
  },
  {
    file: 'api/auth/sessions.ts',
    tests: [
      'test/api/auth/key-ring.test.ts',
      'test/api/auth/ended-sessions.test.ts',
      'test/api/plugins/hardening.test.ts',
    ],
    mutants: [
      {
        mistake: 'a token is accepted for another purpose',
        from: `algorithms: ['ES256'],\n          audience,`,
        to: `algorithms: ['ES256'],`,
      },
      {
        mistake: 'a token of another site is accepted',
        from: 'issuer: options.issuer,\n          clockTolerance',
        to: 'clockTolerance',
      },
      { mistake: 'a token never expires', from: 'currentDate: options.now(),', to: 'currentDate: new Date(0),' },
      {
        mistake: 'a token issued in the future is accepted',
        from: 'maxTokenAge: LIFETIME_S[audience],',
        to: '',
      },
    ],
  },
  {
    file: 'api/auth/session-hook.ts',
    tests: [
      'test/api/plugins/hardening.test.ts',
      'test/api/auth/ended-sessions.test.ts',
      'test/api/auth/suspension.test.ts',
    ],
    mutants: [
      {
        mistake: 'an ended session stays valid',
        from: `if (status?.state !== 'open' || owner === null)`,
        to: 'if (owner === null || status === null)',
      },
      {
        mistake: 'the session of a suspended author stays valid',
        from: `if (status?.state === 'suspended') throw createSuspendedError();`,
        to: '',
      },
    ],
  },
  {
    file: 'api/auth/confirmed-address.ts',
    tests: ['test/api/attacks/unconfirmed-accounts.test.ts'],
    mutants: [
      {
        mistake: 'an account without a confirmed address can reach others',
        from: 'if (sender !== null && !sender.emailConfirmed) throw createUnconfirmedError();',
        to: '',
      },
    ],
  },
  {
    file: 'store/sessions/session-status.ts',
    tests: ['test/store/sessions/refresh-session.test.ts', 'test/api/auth/ended-sessions.test.ts'],
    mutants: [
      {
        mistake: 'a session of another user is accepted',
        from: `.where('users.id', '=', userId)`,
        to: '',
        tests: ['test/store/sessions/refresh-session.test.ts'],
      },
      { mistake: 'an ended session counts as open', from: `.where('sessions.endedAt', 'is', null)`, to: '' },
      {
        mistake: 'an expired session counts as open',
        from: `.where('sessions.expiresAt', '>', now)\n        .where('users.deletedAt', 'is', null)`,
        to: `.where('users.deletedAt', 'is', null)`,
      },
      {
        mistake: 'streams outlive their sessions',
        from: 'and s.ended_at is null and s.expires_at > ${now}',
        to: '',
        tests: ['test/api/notifications/ended-streams.test.ts'],
      },
    ],
  },
  {
    file: 'store/sessions/refresh-session.ts',
    tests: ['test/store/sessions/refresh-session.test.ts'],
    mutants: [
      {
        mistake: 'a replaced refresh token can be used again',
        from: 'now.getTime() - replacedAt.getTime() > GRACE_MS',
        to: 'now.getTime() - replacedAt.getTime() < 0',
      },
      {
        mistake: 'two tabs that refresh at the same time count as a theft',
        from: 'const GRACE_MS = 60_000;',
        to: 'const GRACE_MS = -1;',
      },
      {
        mistake: 'the session stays open after a token theft',
        from: 'await endSession(tx, { userId, sessionId, now });',
        to: '',
      },
      {
        mistake: 'a suspended user can refresh a session',
        from: `if (suspendedAt !== null) return { kind: 'suspended' };`,
        to: '',
      },
      {
        mistake: 'refreshing does not extend the session',
        from: '.set({ lastUsedAt: now, expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS) })',
        to: '.set({ lastUsedAt: now })',
      },
    ],
  },
  {
    file: 'api/auth/same-origin.ts',
    tests: ['test/api/web/guards.test.ts'],
    mutants: [
      {
        mistake: 'a form of another site is accepted',
        from: `if (site !== undefined) return site === 'same-origin';`,
        to: `if (site !== undefined) return true;`,
      },
      {
        mistake: 'a page of a same-site origin counts as ours',
        from: `return site === 'same-origin';`,
        to: `return site !== 'cross-site';`,
      },
      {
        mistake: 'a form without an origin is accepted',
        from: 'if (origin === undefined) return false;',
        to: 'if (origin === undefined) return true;',
      },
    ],
  },
  {
    file: 'api/auth/session-cookie.ts',
    tests: ['test/api/accounts/sign-in.test.ts', 'test/api/web/guards.test.ts'],
    mutants: [
      {
        mistake: 'a script can read the session cookie',
        from: `token, { ...options, httpOnly: true })`,
        to: `token, { ...options, httpOnly: false })`,
      },
      { mistake: 'the cookie is sent with forms of other sites', from: `sameSite: 'lax'`, to: `sameSite: 'none'` },
    ],
  },
  {
    file: 'api/plugins/json-body.ts',
    tests: ['test/api/publishing/errors.test.ts', 'test/api/plugins/hardening.test.ts'],
    mutants: [
      { mistake: 'broken UTF-8 is repaired without an error', from: `{ fatal: true }`, to: `{ fatal: false }` },
      {
        mistake: 'a compressed body is parsed',
        from: `encoding !== undefined && encoding !== 'identity'`,
        to: `encoding === 'br'`,
      },
      {
        mistake: 'the response quotes the body',
        from: "return position ? `character ${position[1]}.` : 'it ends",
        to: "return (error as Error).message ? (error as Error).message : 'it ends",
      },
      { mistake: '`__proto__` is accepted', from: `Object.hasOwn(value, '__proto__')`, to: 'false' },
    ],
  },
];
