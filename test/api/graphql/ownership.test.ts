/**
 * No author can read or change another author's data (A18), and nobody can without a session. Every
 * mutation and every query with an id requires a case here.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { hashCheaply } from '../../support/api/passwords.ts';
import { addBelongings, type Belongings, readEverythingOf } from '../support/belongings.ts';
import { listRootFields } from './support/deepest-query.ts';

interface Case {
  buildQuery: (foreign: Belongings) => string;
  /** The asker's response: an error code, or the data. */
  expected: string | { data: unknown };
}

const NOT_FOUND = 'NOT_FOUND';
const forDelivery = (name: string): Case => ({
  buildQuery: ({ articleId }) => `mutation { ${name}(articleId: "${articleId}", destination: blogsite_a) { state } }`,
  expected: NOT_FOUND,
});

const forComment = (name: string, more = ''): Case => ({
  buildQuery: ({ commentId }) => `mutation { ${name}(id: "${commentId}"${more}) }`,
  expected: NOT_FOUND,
});

/** Fields with an argument that names another author's row. */
const NAMING: Record<string, Case> = {
  article: { buildQuery: ({ articleId }) => `{ article(id: "${articleId}") { title } }`, expected: { data: null } },
  deliveries: {
    buildQuery: ({ articleId }) => `{ deliveries(articleId: "${articleId}") { state } }`,
    expected: { data: [] },
  },
  // Articles of another author are never offered.
  offers: { buildQuery: () => '{ offers(destination: blogsite_a) { articleId } }', expected: { data: [] } },
  sendArticles: {
    buildQuery: ({ articleId }) =>
      `mutation { sendArticles(destination: blogsite_a, articleIds: ["${articleId}"]) { state } }`,
    expected: { data: [] },
  },
  series: {
    buildQuery: ({ seriesId }) => `{ series(id: "${seriesId}") { title articleCount } }`,
    expected: { data: null },
  },
  // The profile is public; the draft is not in it.
  user: {
    buildQuery: () => '{ user(username: "owner") { articleCount articles { edges { node { title } } } } }',
    expected: { data: { articleCount: 0, articles: { edges: [] } } },
  },
  import: { buildQuery: ({ importId }) => `{ import(id: "${importId}") { state } }`, expected: { data: null } },
  cancelImport: { buildQuery: ({ importId }) => `mutation { cancelImport(id: "${importId}") }`, expected: NOT_FOUND },
  renameSeries: {
    buildQuery: ({ seriesId }) => `mutation { renameSeries(id: "${seriesId}", title: "Mine now") { id } }`,
    expected: NOT_FOUND,
  },
  deleteSeries: { buildQuery: ({ seriesId }) => `mutation { deleteSeries(id: "${seriesId}") }`, expected: NOT_FOUND },
  orderSeries: {
    buildQuery: ({ seriesId, articleId }) =>
      `mutation { orderSeries(id: "${seriesId}", articleIds: ["${articleId}"]) { id } }`,
    expected: NOT_FOUND,
  },
  removeFromSeries: {
    buildQuery: ({ articleId }) => `mutation { removeFromSeries(articleId: "${articleId}") { id } }`,
    expected: NOT_FOUND,
  },
  revokeDeveloperToken: {
    buildQuery: ({ tokenId }) => `mutation { revokeDeveloperToken(id: "${tokenId}") }`,
    expected: NOT_FOUND,
  },
  publishArticleNow: {
    buildQuery: ({ articleId }) => `mutation { publishArticleNow(id: "${articleId}") { id } }`,
    expected: NOT_FOUND,
  },
  scheduleArticle: {
    buildQuery: ({ articleId }) => `mutation { scheduleArticle(id: "${articleId}", at: "2099-01-01T00:00Z") { id } }`,
    expected: NOT_FOUND,
  },
  unpublishArticle: {
    buildQuery: ({ articleId }) =>
      `mutation { unpublishArticle(id: "${articleId}") { article { id } copies { url } } }`,
    expected: NOT_FOUND,
  },
  deleteArticle: {
    buildQuery: ({ articleId }) => `mutation { deleteArticle(id: "${articleId}") { article { id } copies { url } } }`,
    expected: NOT_FOUND,
  },
  retryDelivery: forDelivery('retryDelivery'),
  skipDelivery: forDelivery('skipDelivery'),
  overwriteDelivery: forDelivery('overwriteDelivery'),
  withdrawDelivery: forDelivery('withdrawDelivery'),
  settleDelivery: forDelivery('settleDelivery'),
  comments: { buildQuery: ({ slug }) => `{ comments(slug: "${slug}") { edges { cursor } } }`, expected: NOT_FOUND },
  engagement: { buildQuery: ({ slug }) => `{ engagement(slug: "${slug}") { comments } }`, expected: NOT_FOUND },
  readings: { buildQuery: ({ slug }) => `{ readings(slug: "${slug}") { views } }`, expected: NOT_FOUND },
  // Followers are public.
  audience: {
    buildQuery: ({ username }) => `{ audience(username: "${username}") { followers isFollowed } }`,
    expected: { data: { followers: 0, isFollowed: false } },
  },
  addComment: {
    buildQuery: ({ slug }) => `mutation { addComment(slug: "${slug}", body: "x") { id } }`,
    expected: NOT_FOUND,
  },
  editComment: forComment('editComment', ', body: "x"'),
  deleteComment: forComment('deleteComment'),
  hideComment: forComment('hideComment'),
  unhideComment: forComment('unhideComment'),
  acceptAnswer: {
    buildQuery: ({ commentId }) => `mutation { acceptAnswer(commentId: "${commentId}") }`,
    expected: NOT_FOUND,
  },
  unacceptAnswer: {
    buildQuery: ({ commentId }) => `mutation { unacceptAnswer(commentId: "${commentId}") }`,
    expected: NOT_FOUND,
  },
  lockComments: { buildQuery: ({ slug }) => `mutation { lockComments(slug: "${slug}") }`, expected: NOT_FOUND },
  unlockComments: { buildQuery: ({ slug }) => `mutation { unlockComments(slug: "${slug}") }`, expected: NOT_FOUND },
  react: { buildQuery: ({ slug }) => `mutation { react(slug: "${slug}", kind: LIKE) }`, expected: NOT_FOUND },
  unreact: { buildQuery: ({ slug }) => `mutation { unreact(slug: "${slug}", kind: LIKE) }`, expected: NOT_FOUND },
  // Anybody may subscribe to and follow the owner, which notifies the owner. So these name nobody.
  subscribe: {
    buildQuery: () => 'mutation { subscribe(username: "nobody-here", email: "a@example.org") }',
    expected: NOT_FOUND,
  },
  follow: { buildQuery: () => 'mutation { follow(username: "nobody-here") }', expected: NOT_FOUND },
  unfollow: {
    buildQuery: ({ username }) => `mutation { unfollow(username: "${username}") }`,
    expected: { data: true },
  },
  revokeSession: {
    buildQuery: ({ sessionId }) => `mutation { revokeSession(id: "${sessionId}") }`,
    expected: { data: false },
  },
};

/** Mutations without such an argument act on the signed-in person; `expected` is their result. */
const OWN: Record<string, Case> = {
  connectDestination: {
    buildQuery: () => 'mutation { connectDestination(input: { destination: cms_site, credentials: [] }) { label } }',
    expected: 'BAD_PLATFORM',
  },
  reconnectDestination: {
    buildQuery: () => 'mutation { reconnectDestination(destination: blogsite_a) { label } }',
    expected: 'NOT_CONNECTED',
  },
  disconnectDestination: {
    buildQuery: () => 'mutation { disconnectDestination(destination: blogsite_a) }',
    expected: { data: false },
  },
  createDeveloperToken: {
    buildQuery: () => 'mutation { createDeveloperToken(name: "") { id } }',
    expected: 'BAD_INPUT',
  },
  importArticles: {
    buildQuery: () => 'mutation { importArticles(source: RSS, identifier: "no address") { id } }',
    expected: 'BAD_IDENTIFIER',
  },
  createSeries: {
    buildQuery: () => 'mutation { createSeries(title: "Not yours") { articleCount } }',
    expected: { data: { articleCount: 0 } },
  },
  updateProfile: {
    buildQuery: () => 'mutation { updateProfile(input: { bio: "Mine." }) { username bio } }',
    expected: { data: { username: 'asker', bio: 'Mine.' } },
  },
  exportEverything: {
    buildQuery: () => 'mutation { exportEverything { __typename } }',
    expected: { data: { __typename: 'Export' } },
  },
  deleteAccount: {
    buildQuery: () => 'mutation { deleteAccount(password: "of the owner") }',
    expected: 'WRONG_PASSWORD',
  },
  setDigestSettings: {
    buildQuery: () => 'mutation { setDigestSettings(input: { frequency: DAILY }) { frequency } }',
    expected: { data: { frequency: 'DAILY' } },
  },
  markRead: { buildQuery: () => 'mutation { markRead }', expected: { data: 0 } },
  setNotificationPreference: {
    buildQuery: () => 'mutation { setNotificationPreference(type: CROSS_POST_FAILED, digest: true) { type } }',
    expected: 'NOT_IN_DIGEST',
  },
  changePassword: {
    buildQuery: () => 'mutation { changePassword(currentPassword: "x", newPassword: "password1") }',
    expected: 'WRONG_PASSWORD',
  },
  resendConfirmation: { buildQuery: () => 'mutation { resendConfirmation }', expected: { data: false } },
  logout: { buildQuery: () => 'mutation { logout }', expected: { data: true } },
  logoutEverywhere: { buildQuery: () => 'mutation { logoutEverywhere }', expected: { data: true } },
};

/** Queries without such an argument return the asker's own data. */
const LISTS: Record<string, Pick<Case, 'buildQuery'>> = {
  accountDeletion: { buildQuery: () => '{ accountDeletion { articleCount } }' },
  articles: { buildQuery: () => '{ articles { edges { cursor } } }' },
  developerTokens: { buildQuery: () => '{ developerTokens { id } }' },
  imports: { buildQuery: () => '{ imports { edges { cursor } } }' },
  mySeries: { buildQuery: () => '{ mySeries { edges { cursor } } }' },
  tags: { buildQuery: () => '{ tags { tag } }' },
  connections: { buildQuery: () => '{ connections { label } }' },
  notifications: { buildQuery: () => '{ notifications { edges { cursor } } }' },
  unreadNotifications: { buildQuery: () => '{ unreadNotifications }' },
  notificationPreferences: { buildQuery: () => '{ notificationPreferences { type } }' },
  sessions: { buildQuery: () => '{ sessions { id } }' },
};

/** Fields with `skipTypeScopes` and no other scope require no session. */
const PUBLIC = [
  ...['confirmEmail', 'digestSettings', 'login', 'me', 'refreshSession', 'register'],
  ...['requestPasswordReset', 'resetPassword', 'subscribe', 'user'],
];

/** Arguments that name a row. */
const NAMES = /^(id|slug|username)$|(Id|Slug|Username)$/;

let api: TestApi;
let foreign: Belongings;
let owner: TestAuthor;
let asker: TestAuthor;
before(async () => {
  api = await startTestApi();
  owner = await api.createAuthor('owner');
  asker = await api.createAuthor('asker');
  const passwordHash = await hashCheaply('of the asker');
  await api.db.updateTable('users').set({ passwordHash }).where('id', '=', asker.id).execute();
  foreign = await addBelongings(api, owner);
});
after(() => api.close());

test('every mutation, and every query with an id, has a case', () => {
  const naming = listRootFields('Query').filter(({ args }) => args.some(({ name }) => NAMES.test(name)));
  const known = { ...NAMING, ...OWN };
  const missing = [...naming, ...listRootFields('Mutation')].filter(
    ({ name }) => !(name in known) && !PUBLIC.includes(name),
  );
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  );
  // A mutation with such an argument must have a case with another author's row.
  const named = listRootFields('Mutation').filter(({ args }) => args.some(({ name }) => NAMES.test(name)));
  assert.deepEqual(
    named.filter(({ name }) => !(name in NAMING)).map(({ name }) => name),
    // It names the account that it creates.
    ['register'],
  );
});

for (const [name, { buildQuery: write, expected }] of Object.entries({ ...NAMING, ...OWN })) {
  test(`${name} reveals nothing to another author and changes nothing of the owner (A18)`, async () => {
    const before = await readEverythingOf(api.db, owner);
    const answer = await runGraphql(api, asker.id, write(foreign));
    if (typeof expected === 'string') assert.equal(answer.code, expected, answer.text);
    else assert.deepEqual(answer.data[name], expected.data, answer.text);
    assert.deepEqual(await readEverythingOf(api.db, owner), before);
  });
}

test('without a session only the public fields can be used', async () => {
  const roots = [...listRootFields('Query'), ...listRootFields('Mutation')];
  const open = roots.filter(({ extensions }) => {
    const options = extensions.pothosOptions as { skipTypeScopes?: boolean; authScopes?: object } | undefined;
    return options?.skipTypeScopes === true && options.authScopes === undefined;
  });
  assert.deepEqual(open.map(({ name }) => name).sort(), PUBLIC);
  const cases: Record<string, Pick<Case, 'buildQuery'>> = { ...NAMING, ...OWN, ...LISTS };
  for (const { name } of roots.filter((field) => !PUBLIC.includes(field.name))) {
    const write = cases[name]?.buildQuery;
    assert.ok(write, `${name} has no case`);
    const answer = await runGraphql(api, null, write(foreign));
    assert.equal(answer.code, 'UNAUTHENTICATED', `${name}: ${answer.text}`);
  }
});
