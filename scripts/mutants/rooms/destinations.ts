/** Mutants of the requests to destinations and of the parsing of their responses. */
import type { MutatedFile } from '../mutant.ts';

export const DESTINATIONS: readonly MutatedFile[] = [
  {
    file: 'destinations/wordpress/posts.ts',
    tests: ['test/destinations/wordpress/client.test.ts', 'test/destinations/wordpress/foreign-posts.test.ts'],
    mutants: [
      {
        mistake: 'the time of a WordPress post is parsed as local time',
        from: 'return readTime(`${value}Z`);',
        to: 'return readTime(value);',
        tests: ['test/destinations/posts/drift.test.ts'],
      },
      { mistake: 'a post in the trash is updated', from: `if (status === 'trash') return null;`, to: '' },
    ],
  },
  {
    file: 'destinations/wordpress/site/ownership.ts',
    tests: ['test/destinations/wordpress/foreign-posts.test.ts', 'test/destinations/wordpress/identity.test.ts'],
    mutants: [
      {
        mistake: 'a post of another author of the site is updated',
        from: 'if (author !== null && author !== userId) return false;',
        to: '',
      },
      {
        mistake: 'any post of the user matches this article',
        from: 'return marker !== null || (article',
        to: 'return marker === null || (article',
      },
    ],
  },
  {
    file: 'destinations/wordpress/find.ts',
    tests: [
      'test/destinations/wordpress/listing.test.ts',
      'test/destinations/wordpress/foreign-posts.test.ts',
      'test/destinations/wordpress/client.test.ts',
    ],
    mutants: [
      {
        mistake: 'posts that are hidden from the account count as absent',
        from: `const isHidden = found.kind === 'done' && found.value === null && total > shown;`,
        to: 'const isHidden = false;',
      },
      {
        mistake: 'a look-up finds the post of another author with the same canonical URL',
        from: '{ ...filter, author }',
        to: '{ ...filter }',
      },
    ],
  },
  {
    file: 'destinations/linkedin/client.ts',
    tests: ['test/destinations/linkedin/client.test.ts'],
    mutants: [
      { mistake: 'a URN is not encoded in a path', from: 'encodeURIComponent(remoteId)', to: 'remoteId' },
      { mistake: 'a duplicate is not distinguished from our own post', from: ', isDuplicate: true }', to: ' }' },
    ],
  },
  {
    file: 'destinations/linkedin/posts.ts',
    tests: ['test/destinations/linkedin/client.test.ts'],
    mutants: [
      {
        mistake: 'any header value is accepted as the URN of a post',
        from: 'status === 201 && WHOLE_URN.test(urn)',
        to: 'status === 201',
      },
    ],
  },
  {
    file: 'destinations/ghost/client.ts',
    tests: ['test/destinations/ghost/updates.test.ts', 'test/destinations/ghost/foreign-posts.test.ts'],
    mutants: [
      {
        mistake: 'a manual edit between look-up and write is overwritten',
        from: 'const isChanged = seenAt === null ? isChangedSince(changedAt, change.unchangedSince) : changedAt !== seenAt;',
        to: 'const isChanged = isChangedSince(changedAt, change.unchangedSince);',
      },
      {
        mistake: 'an update changes the address of a post',
        from: 'const { slug, ...fields } = payload;',
        to: 'const { slug } = payload;\n      const fields = payload;',
      },
      {
        mistake: 'the post of another author is updated',
        from: 'if (!isOurs(current.value, change.slug)) return rejectForeign(current.value);',
        to: '',
        tests: ['test/destinations/ghost/foreign-posts.test.ts'],
      },
    ],
  },
  {
    file: 'destinations/ghost/token.ts',
    tests: ['test/destinations/ghost/client.test.ts', 'test/destinations/published-contracts.test.ts'],
    mutants: [
      {
        mistake: 'the secret is used without hex decoding',
        from: `secret: Buffer.from(secret, 'hex')`,
        to: 'secret: Buffer.from(secret)',
      },
      {
        mistake: 'a token is valid for longer than Ghost accepts',
        from: 'const LIFETIME_S = 5 * 60;',
        to: 'const LIFETIME_S = 10 * 60;',
      },
    ],
  },
  {
    file: 'destinations/forem/refusals.ts',
    tests: ['test/destinations/forem/client.test.ts', 'test/destinations/interpretations.test.ts'],
    mutants: [
      {
        mistake: 'a rejected create counts as certainly not saved',
        from: `...(intent === 'create' ? { maybeSaved: true } : {})`,
        to: '',
      },
      {
        mistake: 'a missing post counts as a missing API',
        from: `if (intent === 'update' || intent === 'withdraw') {`,
        to: `if (intent === 'read') {`,
      },
    ],
  },
  {
    file: 'destinations/hashnode/find.ts',
    tests: ['test/destinations/hashnode/client.test.ts', 'test/destinations/identity.test.ts'],
    mutants: [
      {
        mistake: 'any post with our slug counts as ours',
        from: 'if (isOurs(post)) return readFoundPost(post);',
        to: 'if (post) return readFoundPost(post);',
      },
      {
        mistake: 'only the first page is searched',
        from: `!== true) return { kind: 'done', value: null };`,
        to: `!== null) return { kind: 'done', value: null };`,
      },
    ],
  },
  {
    file: 'destinations/http/interpret.ts',
    tests: ['test/destinations/interpretations.test.ts', 'test/destinations/contract-faults.test.ts'],
    mutants: [
      {
        mistake: 'a page of a proxy counts as a response of the platform',
        from: 'if (!isPlatformResponse(ended)) return interpretForeignResponse(ended, intent, label);',
        to: '',
      },
      { mistake: 'a 429 counts as a rejection', from: 'if (ended.status === 429)', to: 'if (ended.status === 430)' },
      {
        mistake: 'a redirect to a login page counts as a new address',
        from: 'if (!isMove) return interpretForeignResponse(redirect, intent, platform.label);',
        to: '',
      },
    ],
  },
  {
    file: 'destinations/http/failures.ts',
    tests: [
      'test/destinations/interpretations.test.ts',
      'test/destinations/contract-faults.test.ts',
      'test/destinations/contract.test.ts',
    ],
    mutants: [
      {
        mistake: 'a create that may have happened is repeated without a look-up',
        from: `if (intent === 'create') return { kind: 'unknown', reason, mayArriveLate: false };`,
        to: '',
      },
      {
        mistake: 'a request with a 504 response counts as finished',
        from: 'answer.status !== 502 && answer.status !== 504',
        to: 'answer.status !== 502',
      },
      {
        mistake: 'a request without a response counts as not executed',
        from: `kind: intent === 'read' ? 'unavailable' : 'unknown'`,
        to: `kind: 'unavailable'`,
      },
      {
        mistake: 'a request that was never sent counts as possibly executed',
        from: `ended.kind === 'neverSent' ? {`,
        to: `ended.kind === 'tooLarge' ? {`,
      },
      {
        mistake: 'an unreadable post counts as absent',
        from: `return { kind: 'unavailable', reason: \`\${label} lists the post without`,
        to: `return { kind: 'rejected', code: 'x', reason: \`\${label} lists the post without`,
        tests: ['test/destinations/forem/client.test.ts'],
      },
    ],
  },
  {
    file: 'destinations/posts/canonical.ts',
    tests: ['test/destinations/posts/canonical.test.ts'],
    mutants: [
      {
        mistake: 'two invalid addresses count as the same page',
        from: 'return key !== null && right != null && key === buildKey(right);',
        to: 'return right != null && key === buildKey(right);',
      },
      { mistake: 'pages with different queries count as the same page', from: '?${query}`', to: '`' },
    ],
  },
  {
    file: 'destinations/posts/drift.ts',
    tests: ['test/destinations/posts/drift.test.ts'],
    mutants: [
      { mistake: 'a change by the platform itself counts as a manual edit', from: '+ FINISHING_MS', to: '' },
      {
        mistake: 'an update is sent after a failed look-up',
        from: `if (current.kind !== 'done') return current;`,
        to: `if (current.kind !== 'done') return null;`,
      },
    ],
  },
  {
    file: 'destinations/posts/remote-post.ts',
    tests: ['test/destinations/posts/remote-post.test.ts'],
    mutants: [
      { mistake: 'an address that runs a script is shown', from: ' || !isWebAddress(url)', to: '' },
      {
        mistake: 'an id that cannot be stored is accepted',
        from: '/^[\\x21-\\x7e]{1,200}$/.test(id)',
        to: 'id.length > 0',
      },
    ],
  },
  {
    file: 'destinations/posts/search-listing.ts',
    tests: [
      'test/destinations/forem/client.test.ts',
      'test/destinations/wordpress/listing.test.ts',
      'test/destinations/identity.test.ts',
    ],
    mutants: [
      { mistake: 'a post of another article is found', from: '!excludedIds?.has(post.remoteId)', to: 'true' },
      {
        mistake: 'a draft is preferred to a public post',
        from: 'ours.find(({ isPublic }) => isPublic) ?? ours[0]',
        to: 'ours[0]',
      },
      {
        mistake: 'a page that is not full always counts as the last one',
        from: '(received < size && !listing.canCapPages)',
        to: 'received < size',
      },
      {
        mistake: 'an endless list counts as empty',
        from: "return { kind: 'unavailable', reason: `${label} lists too many",
        to: "return { kind: 'done', value: null }; return { kind: 'unavailable', reason: `${label} lists too many",
        tests: ['test/destinations/wordpress/listing.test.ts'],
      },
    ],
  },
  {
    file: 'destinations/wordpress/html/marker.ts',
    tests: [
      'test/destinations/wordpress/format.test.ts',
      'test/destinations/wordpress/foreign-posts.test.ts',
      'test/destinations/wordpress/identity.test.ts',
    ],
    mutants: [
      {
        mistake: 'a marker quoted in the text counts',
        from: 'content.lastIndexOf(OPENING)',
        to: 'content.indexOf(OPENING)',
      },
    ],
  },
];
