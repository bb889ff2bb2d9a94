/** Profiles: validation, and where they are shown. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const UPDATE = `mutation ($input: ProfileInput!) { updateProfile(input: $input) { name bio links pictureUrl } }`;
const update = (userId: string, input: Record<string, unknown>) => runGraphql(api, userId, UPDATE, { input });

test('a profile stores the cleaned input of its owner and is public except for the address', async () => {
  const ada = await api.createAuthor('ada');
  const links = ['https://example.org/@ada', 'http://ada.example/', 'https://example.org/@ada'];
  const input = {
    name: ' Ada  Lovelace ',
    bio: 'Writes.\n\n\n\nCounts.',
    links,
    pictureUrl: 'https://example.org/ada.png',
  };
  const expectedProfile = {
    name: 'Ada Lovelace',
    bio: 'Writes.\n\nCounts.',
    links: ['https://example.org/@ada', 'http://ada.example/'],
    pictureUrl: 'https://example.org/ada.png',
  };
  assert.deepEqual((await update(ada.id, input)).data.updateProfile, expectedProfile);
  await api.publish({ content: markdown({ title: 'Seen by all' }) }, ada);
  await api.publish({ content: markdown({ title: 'Hidden', draft: true }) }, ada);
  await api.publish({ content: markdown({ title: 'Later', tags: ['a', 'b'], excerpt: 'Short.' }) }, ada);
  const profile =
    '{ user(username: "ADA") { username name bio links pictureUrl isTrusted articleCount followerCount articles { edges { node { slug title url excerpt tags } } } } }';
  const { data, text } = await runGraphql(api, null, profile);
  assert.ok(!text.includes('@example.org"') && !text.includes('Hidden'), text);
  const { articles, ...rest } = data.user;
  assert.deepEqual(rest, { username: 'ada', ...expectedProfile, isTrusted: false, articleCount: 2, followerCount: 0 });
  const [later, first] = articles.edges.map(({ node }: { node: object }) => node);
  const url = `${api.baseUrl}/later`;
  assert.deepEqual(later, { slug: 'later', title: 'Later', url, excerpt: 'Short.', tags: ['a', 'b'] });
  assert.deepEqual([articles.edges.length, first.slug], [2, 'seen-by-all']);
  const page = async (after: string | null) => {
    const query =
      'query ($after: String) { user(username: "ada") { articles(first: 1, after: $after) { edges { node { slug } } pageInfo { hasNextPage endCursor } } } }';
    const answer = await runGraphql(api, null, query, { after });
    return answer.data?.user.articles ?? answer.code;
  };
  const { edges, pageInfo } = await page(null);
  assert.deepEqual([edges[0].node.slug, pageInfo.hasNextPage], ['later', true]);
  const last = await page(pageInfo.endCursor);
  assert.deepEqual([last.edges[0].node.slug, last.pageInfo.hasNextPage], ['seen-by-all', false]);
  const change = (values: object) => api.db.updateTable('users').set(values).where('id', '=', ada.id).execute();
  await change({ trusted: true });
  assert.equal((await runGraphql(api, null, '{ user(username: "ada") { isTrusted } }')).data.user.isTrusted, true);
  await change({ emailConfirmedAt: null });
  const me =
    '{ me { id username name bio links pictureUrl contentSignal articleCount followerCount emailConfirmed isTrusted } }';
  await runGraphql(
    api,
    ada.id,
    'mutation { updateProfile(input: { contentSignal: "ai-train=no, search=yes" }) { id } }',
  );
  assert.deepEqual((await runGraphql(api, ada.id, me)).data.me, {
    ...{ id: ada.id, username: 'ada', ...expectedProfile, contentSignal: 'search=yes, ai-train=no' },
    ...{ articleCount: 2, followerCount: 0, emailConfirmed: false, isTrusted: true },
  });
  assert.equal((await runGraphql(api, null, me)).data.me, null);
  assert.equal((await runGraphql(api, ada.id, '{ me { email articleCount } }')).data.me.email, 'ada@example.org');
});

test('missing fields stay unchanged, and null clears a field except the name', async () => {
  const { id } = await api.createAuthor('stays');
  await update(id, { name: 'Name', bio: 'Bio', links: ['https://example.org'], pictureUrl: 'https://example.org/p' });
  assert.equal((await update(id, {})).data.updateProfile.bio, 'Bio');
  assert.deepEqual((await update(id, { name: null, bio: null, links: null, pictureUrl: null })).data.updateProfile, {
    name: 'Name',
    bio: null,
    links: [],
    pictureUrl: null,
  });
});

test('profile links appear as authorSameAs in the description and sameAs in JSON-LD', async () => {
  const author = await api.createAuthor('linked');
  const link = 'https://example.org/"><script>alert(1)</script>';
  await update(author.id, { links: [link, 'https://ïdn.example/ü'] });
  const { body } = await api.publish({ content: markdown({ title: 'With links' }) }, author);
  const expected = ['https://example.org/%22%3E%3Cscript%3Ealert(1)%3C/script%3E', 'https://xn--dn-sja.example/%C3%BC'];
  const description = await (await fetch(`${api.url}/api/geo/posts/${body.data?.slug}/description`)).json();
  assert.deepEqual((description as { authorSameAs: string[] }).authorSameAs, expected);
  const page = await (await fetch(`${api.url}/${body.data?.slug}`)).text();
  assert.ok(page.includes(`"sameAs":${JSON.stringify(expected)}`));
  assert.ok(!page.includes('<script>alert'));
});

test('values up to the limit of each field are stored', async () => {
  const { id } = await api.createAuthor('limits');
  const input = {
    name: 'x'.repeat(80),
    bio: `${'😀'.repeat(999)}x`,
    links: Array.from({ length: 10 }, (_, n) => `https://example.org/${n}`),
    pictureUrl: `https://example.org/${'x'.repeat(480)}`,
  };
  assert.deepEqual((await update(id, input)).data.updateProfile, input);
  const international = 'https://user.example/?ü#ä';
  const spaced = (await update(id, { bio: ' a \r\n\n\n b ', links: [` ${international}\n`], pictureUrl: '' })).data;
  const stored = { bio: 'a\n\nb', links: ['https://user.example/?%C3%BC#%C3%A4'], pictureUrl: null };
  assert.deepEqual(spaced.updateProfile, { name: input.name, ...stored });
});

test('the message about a field states its limit', async () => {
  const { id } = await api.createAuthor('messages');
  const address =
    'must be an address that begins with https:// or http://, without a password, of at most 500 characters';
  const messages: [input: object, message: string][] = [
    [{ name: '!' }, 'name must be one line of at most 80 characters, with at least one letter or digit'],
    [{ bio: 'x'.repeat(1_001) }, 'bio has more than 1000 characters'],
    [{ links: Array(11).fill('https://example.org') }, 'links has more than 10 addresses'],
    [{ links: ['https://example.org', `https://example.org/${'x'.repeat(481)}`] }, `links[1] ${address}`],
    [{ pictureUrl: 'https://u@example.org' }, `pictureUrl ${address}`],
    [{ pictureUrl: 'https://:p@example.org' }, `pictureUrl ${address}`],
    [{ pictureUrl: 'xhttps://example.org' }, `pictureUrl ${address}`],
    [
      { contentSignal: 'search=maybe' },
      'contentSignal must be search, ai-input and ai-train with yes or no, like "search=yes, ai-input=yes, ai-train=no"',
    ],
  ];
  for (const [input, message] of messages) {
    const answer = await update(id, input as Record<string, unknown>);
    assert.deepEqual([answer.code, answer.message], ['BAD_INPUT', message]);
  }
  assert.equal((await runGraphql(api, id, '{ me { bio } }')).data.me.bio, null);
});

test('deceptive names and addresses are cleaned or rejected, and all problems are reported at once', async () => {
  const { id } = await api.createAuthor('hostile');
  const cleaned = await update(id, {
    name: 'Eve\r\nBcc: all@example.org \u202egnp.exe\u0000',
    bio: 'a\u202eb\u0007c\u001b[31md',
  });
  const { name, bio } = cleaned.data.updateProfile;
  assert.equal(name, 'Eve Bcc: all@example.org gnp.exe');
  assert.equal(bio, 'abcd');
  const bad = [
    { name: '' },
    { name: '\u200b\u202e' },
    { name: '…!' },
    { name: 'x'.repeat(81) },
    { bio: 'x'.repeat(1_001) },
    { links: Array.from({ length: 11 }, (_, n) => `https://example.org/${n}`) },
    ...['javascript:alert(1)', 'data:text/html,x', 'ftp://example.org', '//example.org', 'example.org', ''].map(
      (url) => ({ links: [url] }),
    ),
    ...[
      'https://user:secret@example.org',
      'https://exa\u202emple.org',
      'https://example.org/\nx',
      `https://example.org/${'x'.repeat(500)}`,
      `https://example.org/${'ü'.repeat(200)}`,
    ].map((pictureUrl) => ({ pictureUrl })),
  ];
  for (const input of bad) {
    const answer = await update(id, input);
    assert.equal(answer.code, 'BAD_INPUT', `${JSON.stringify(input)}: ${answer.text}`);
    assert.ok(!answer.text.includes('secret'));
  }
  const several = await update(id, { name: '', links: ['https://fine.example', 'x'], pictureUrl: 'y' });
  assert.match(several.message ?? '', /^name .*; links\[1\] .*; pictureUrl /);
  assert.equal((await runGraphql(api, id, '{ me { name } }')).data.me.name, name);
});

test('invalid user names and suspended authors have no public profile', async () => {
  const suspended = await api.createAuthor('suspended');
  await api.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', suspended.id).execute();
  for (const username of ['nobody', 'suspended', '', '\u0000', 'x'.repeat(10_000), '\ud800']) {
    const answer = await runGraphql(api, null, 'query ($username: String!) { user(username: $username) { name } }', {
      username,
    });
    assert.deepEqual(answer.data, { user: null }, answer.text);
  }
});
