/** Mutants of permissions and of the addresses that calls may use. */
import type { MutatedFile } from '../mutant.ts';

export const GUARDS: readonly MutatedFile[] = [
  {
    file: 'destinations/http/address-guard.ts',
    tests: ['test/destinations/http/address-guard.test.ts'],
    mutants: [
      {
        mistake: 'only the first address of a name is checked',
        from: 'for (const { address } of addresses) checkIp',
        to: 'for (const { address } of addresses.slice(0, 1)) checkIp',
      },
      {
        mistake: 'an operator can allow the addresses of cloud credentials',
        from: 'if (ipaddr.isValid(plain) && !isNeverCalled(plain)) {',
        to: 'if (ipaddr.isValid(plain)) {',
      },
      { mistake: 'a wrapped IPv4 address is public', from: 'return [ip, ...inside.map(', to: 'return [ip, ...[].map(' },
      {
        mistake: 'an address with a scope is another one than its operator opened',
        from: `address.replace(/%.*$/, '')`,
        to: 'address',
      },
      {
        mistake: 'what is unicast to the library is public',
        from: `ip.kind() === 'ipv4' || ip.match(ipaddr.parseCIDR('2000::/3'))`,
        to: 'true',
      },
      {
        mistake: 'a credential goes out without TLS',
        from: `if (target.protocol === 'https:') return;`,
        to: 'return;',
      },
      {
        mistake: 'an address that spells its host as a number is called',
        from: 'if (!address.toLowerCase().includes(url.hostname)) {',
        to: 'if (false) {',
      },
      {
        mistake: 'a password in an address is sent',
        from: `if (url.username !== '' || url.password !== '') {`,
        to: `if (url.username !== '' && url.password !== '') {`,
      },
      { mistake: 'a local name is called', from: `!name.includes('.') || /`, to: '/' },
      {
        mistake: 'an allowed host is allowed at any port',
        from: 'if (allowed.port !== null && allowed.port !== findPort(target)) return false;',
        to: '',
      },
      {
        mistake: 'allowing private addresses allows multicast',
        from: 'return PRIVATE_RANGES.has(ip.range());',
        to: 'return true;',
      },
    ],
  },
  {
    file: 'destinations/http/download.ts',
    tests: ['test/destinations/http/download.test.ts'],
    mutants: [
      { mistake: 'redirects have no end', from: 'hop <= MAX_REDIRECTS', to: 'hop <= 1e3' },
      {
        mistake: 'each hop has the whole time',
        from: 'const timeoutMs = Math.ceil(deadline - performance.now());',
        to: 'const { timeoutMs } = context;',
      },
      {
        mistake: 'an error page is taken for the file',
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
        mistake: 'the token is uploaded to any host',
        from: 'if (!mayHaveToken(url, baseUrl)) return false;',
        to: '',
      },
    ],
  },
  {
    file: 'destinations/linkedin/address.ts',
    tests: ['test/destinations/linkedin/cover.test.ts'],
    mutants: [
      {
        mistake: 'a host that ends like LinkedIn’s gets the token',
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
        mistake: 'a token is taken for another purpose',
        from: `algorithms: ['ES256'],\n          audience,`,
        to: `algorithms: ['ES256'],`,
      },
      {
        mistake: 'the token of another site is taken',
        from: 'issuer: options.issuer,\n          clockTolerance',
        to: 'clockTolerance',
      },
      { mistake: 'a token is good for ever', from: 'currentDate: options.now(),', to: 'currentDate: new Date(0),' },
      {
        mistake: 'a token that was made in the future is taken',
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
        mistake: 'a session that has ended goes on',
        from: `if (standing?.state !== 'open' || owner === null)`,
        to: 'if (owner === null || standing === null)',
      },
      {
        mistake: 'a suspended author goes on',
        from: `if (standing?.state === 'suspended') throw createSuspendedError();`,
        to: '',
      },
    ],
  },
  {
    file: 'api/auth/confirmed-address.ts',
    tests: ['test/api/attacks/unconfirmed-accounts.test.ts'],
    mutants: [
      {
        mistake: 'an account without a confirmed address reaches others',
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
        mistake: 'a session of another user is this one’s',
        from: `.where('users.id', '=', userId)`,
        to: '',
        tests: ['test/store/sessions/refresh-session.test.ts'],
      },
      { mistake: 'a session that was ended is open', from: `.where('sessions.endedAt', 'is', null)`, to: '' },
      {
        mistake: 'an expired session is open',
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
        mistake: 'a stolen token is good for another session',
        from: 'now.getTime() - replacedAt.getTime() > GRACE_MS',
        to: 'now.getTime() - replacedAt.getTime() < 0',
      },
      {
        mistake: 'two tabs that refresh at once are a theft',
        from: 'const GRACE_MS = 60_000;',
        to: 'const GRACE_MS = -1;',
      },
      {
        mistake: 'the thief of a token keeps the session',
        from: 'await endSession(tx, { userId, sessionId, now });',
        to: '',
      },
      {
        mistake: 'a suspended user refreshes',
        from: `if (suspendedAt !== null) return { kind: 'suspended' };`,
        to: '',
      },
      {
        mistake: 'a refreshed session ends when the first token would have',
        from: '.set({ lastUsedAt: now, expiresAt: new Date(now.getTime() + SESSION_MS) })',
        to: '.set({ lastUsedAt: now })',
      },
    ],
  },
  {
    file: 'api/auth/same-origin.ts',
    tests: ['test/api/web/guards.test.ts'],
    mutants: [
      {
        mistake: 'a form of another site is taken',
        from: `if (site !== undefined) return site === 'same-origin';`,
        to: `if (site !== undefined) return true;`,
      },
      {
        mistake: 'a page of a neighbouring site counts as ours',
        from: `return site === 'same-origin';`,
        to: `return site !== 'cross-site';`,
      },
      {
        mistake: 'a form that says nothing of where it comes from is taken',
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
        mistake: 'a script reads the session',
        from: `token, { ...options, httpOnly: true })`,
        to: `token, { ...options, httpOnly: false })`,
      },
      { mistake: 'the cookie goes along with other sites’ forms', from: `sameSite: 'lax'`, to: `sameSite: 'none'` },
    ],
  },
  {
    file: 'api/plugins/json-body.ts',
    tests: ['test/api/publishing/errors.test.ts', 'test/api/plugins/hardening.test.ts'],
    mutants: [
      { mistake: 'broken UTF-8 is mended in silence', from: `{ fatal: true }`, to: `{ fatal: false }` },
      {
        mistake: 'a compressed body is parsed',
        from: `encoding !== undefined && encoding !== 'identity'`,
        to: `encoding === 'br'`,
      },
      {
        mistake: 'a body is quoted in the answer',
        from: "return position ? `character ${position[1]}.` : 'it ends",
        to: "return (error as Error).message ? (error as Error).message : 'it ends",
      },
      { mistake: '`__proto__` is taken', from: `Object.hasOwn(value, '__proto__')`, to: 'false' },
    ],
  },
];
