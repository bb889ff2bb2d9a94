/**
 * Nobody reads or changes what is another author's (A18), and nobody who is not signed in reads or changes anything. Every mutation has a case
 * here, and every query that names something; one without a case fails.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi, type TestAuthor } from '../../support/api.ts';
import { ask } from '../../support/graphql.ts';
import { hashCheaply } from '../../support/passwords.ts';
import { addBelongings, type Belongings, readEverythingOf } from '../support/belongings.ts';
import { listRootFields } from './support/deepest-query.ts';

interface Case {
  ask: (foreign: Belongings) => string;
  /** What the asker is told: a code, or what stands in the place of the data. */
  told: string | { data: unknown };
}

const NOT_FOUND = 'NOT_FOUND';
const forDelivery = (name: string): Case => ({
  ask: ({ articleId }) => `mutation { ${name}(articleId: "${articleId}", destination: blogsite_a) { state } }`,
  told: NOT_FOUND,
});

const forComment = (name: string, more = ''): Case => ({
  ask: ({ commentId }) => `mutation { ${name}(id: "${commentId}"${more}) }`,
  told: NOT_FOUND,
});

/** Fields that name something of somebody's. */
const NAMING: Record<string, Case> = {
  article: { ask: ({ articleId }) => `{ article(id: "${articleId}") { title } }`, told: { data: null } },
  deliveries: { ask: ({ articleId }) => `{ deliveries(articleId: "${articleId}") { state } }`, told: { data: [] } },
  // Nothing is offered of what is another author's.
  offers: { ask: () => '{ offers(destination: blogsite_a) { articleId } }', told: { data: [] } },
  sendArticles: {
    ask: ({ articleId }) =>
      `mutation { sendArticles(destination: blogsite_a, articleIds: ["${articleId}"]) { state } }`,
    told: { data: [] },
  },
  series: { ask: ({ seriesId }) => `{ series(id: "${seriesId}") { title articleCount } }`, told: { data: null } },
  // Everybody sees the profile; the draft is not in it.
  user: {
    ask: () => '{ user(username: "owner") { articleCount articles { edges { node { title } } } } }',
    told: { data: { articleCount: 0, articles: { edges: [] } } },
  },
  import: { ask: ({ importId }) => `{ import(id: "${importId}") { state } }`, told: { data: null } },
  cancelImport: { ask: ({ importId }) => `mutation { cancelImport(id: "${importId}") }`, told: NOT_FOUND },
  renameSeries: {
    ask: ({ seriesId }) => `mutation { renameSeries(id: "${seriesId}", title: "Mine now") { id } }`,
    told: NOT_FOUND,
  },
  deleteSeries: { ask: ({ seriesId }) => `mutation { deleteSeries(id: "${seriesId}") }`, told: NOT_FOUND },
  orderSeries: {
    ask: ({ seriesId, articleId }) =>
      `mutation { orderSeries(id: "${seriesId}", articleIds: ["${articleId}"]) { id } }`,
    told: NOT_FOUND,
  },
  removeFromSeries: {
    ask: ({ articleId }) => `mutation { removeFromSeries(articleId: "${articleId}") { id } }`,
    told: NOT_FOUND,
  },
  revokeDeveloperToken: {
    ask: ({ tokenId }) => `mutation { revokeDeveloperToken(id: "${tokenId}") }`,
    told: NOT_FOUND,
  },
  publishArticleNow: {
    ask: ({ articleId }) => `mutation { publishArticleNow(id: "${articleId}") { id } }`,
    told: NOT_FOUND,
  },
  scheduleArticle: {
    ask: ({ articleId }) => `mutation { scheduleArticle(id: "${articleId}", at: "2099-01-01T00:00Z") { id } }`,
    told: NOT_FOUND,
  },
  unpublishArticle: {
    ask: ({ articleId }) => `mutation { unpublishArticle(id: "${articleId}") { article { id } copies { url } } }`,
    told: NOT_FOUND,
  },
  deleteArticle: {
    ask: ({ articleId }) => `mutation { deleteArticle(id: "${articleId}") { article { id } copies { url } } }`,
    told: NOT_FOUND,
  },
  retryDelivery: forDelivery('retryDelivery'),
  skipDelivery: forDelivery('skipDelivery'),
  overwriteDelivery: forDelivery('overwriteDelivery'),
  withdrawDelivery: forDelivery('withdrawDelivery'),
  settleDelivery: forDelivery('settleDelivery'),
  comments: { ask: ({ slug }) => `{ comments(slug: "${slug}") { edges { cursor } } }`, told: NOT_FOUND },
  engagement: { ask: ({ slug }) => `{ engagement(slug: "${slug}") { comments } }`, told: NOT_FOUND },
  readings: { ask: ({ slug }) => `{ readings(slug: "${slug}") { views } }`, told: NOT_FOUND },
  // Who follows whom is public.
  audience: {
    ask: ({ username }) => `{ audience(username: "${username}") { followers isFollowed } }`,
    told: { data: { followers: 0, isFollowed: false } },
  },
  addComment: { ask: ({ slug }) => `mutation { addComment(slug: "${slug}", body: "x") { id } }`, told: NOT_FOUND },
  editComment: forComment('editComment', ', body: "x"'),
  deleteComment: forComment('deleteComment'),
  hideComment: forComment('hideComment'),
  unhideComment: forComment('unhideComment'),
  acceptAnswer: { ask: ({ commentId }) => `mutation { acceptAnswer(commentId: "${commentId}") }`, told: NOT_FOUND },
  unacceptAnswer: { ask: ({ commentId }) => `mutation { unacceptAnswer(commentId: "${commentId}") }`, told: NOT_FOUND },
  lockComments: { ask: ({ slug }) => `mutation { lockComments(slug: "${slug}") }`, told: NOT_FOUND },
  unlockComments: { ask: ({ slug }) => `mutation { unlockComments(slug: "${slug}") }`, told: NOT_FOUND },
  react: { ask: ({ slug }) => `mutation { react(slug: "${slug}", kind: like) }`, told: NOT_FOUND },
  unreact: { ask: ({ slug }) => `mutation { unreact(slug: "${slug}", kind: like) }`, told: NOT_FOUND },
  // Everybody may subscribe to everybody, and follow them: that is what the owner is told of.
  subscribe: {
    ask: () => 'mutation { subscribe(username: "nobody-here", email: "a@example.org") }',
    told: NOT_FOUND,
  },
  follow: { ask: () => 'mutation { follow(username: "nobody-here") }', told: NOT_FOUND },
  unfollow: { ask: ({ username }) => `mutation { unfollow(username: "${username}") }`, told: { data: true } },
  revokeSession: {
    ask: ({ sessionId }) => `mutation { revokeSession(id: "${sessionId}") }`,
    told: { data: false },
  },
};

/** Mutations that name nothing: they act on whoever is signed in, and leave others alone. `told` is what a signed-in author reads. */
const OWN: Record<string, Case> = {
  connectDestination: {
    ask: () => 'mutation { connectDestination(input: { destination: cms_site, credentials: [] }) { label } }',
    told: 'BAD_PLATFORM',
  },
  reconnectDestination: {
    ask: () => 'mutation { reconnectDestination(destination: blogsite_a) { label } }',
    told: 'NOT_CONNECTED',
  },
  disconnectDestination: {
    ask: () => 'mutation { disconnectDestination(destination: blogsite_a) }',
    told: { data: false },
  },
  createDeveloperToken: {
    ask: () => 'mutation { createDeveloperToken(name: "") { id } }',
    told: 'BAD_INPUT',
  },
  importArticles: {
    ask: () => 'mutation { importArticles(source: RSS, identifier: "no address") { id } }',
    told: 'BAD_IDENTIFIER',
  },
  createSeries: {
    ask: () => 'mutation { createSeries(title: "Not yours") { articleCount } }',
    told: { data: { articleCount: 0 } },
  },
  updateProfile: {
    ask: () => 'mutation { updateProfile(input: { bio: "Mine." }) { username bio } }',
    told: { data: { username: 'asker', bio: 'Mine.' } },
  },
  exportEverything: {
    ask: () => 'mutation { exportEverything { __typename } }',
    told: { data: { __typename: 'Export' } },
  },
  deleteAccount: { ask: () => 'mutation { deleteAccount(password: "of the owner") }', told: 'WRONG_PASSWORD' },
  setDigestSettings: {
    ask: () => 'mutation { setDigestSettings(input: { frequency: daily }) { frequency } }',
    told: { data: { frequency: 'daily' } },
  },
  markRead: { ask: () => 'mutation { markRead }', told: { data: 0 } },
  setNotificationPreference: {
    ask: () => 'mutation { setNotificationPreference(type: CROSS_POST_FAILED, digest: true) { type } }',
    told: 'NOT_IN_DIGEST',
  },
  changePassword: {
    ask: () => 'mutation { changePassword(currentPassword: "x", newPassword: "password1") }',
    told: 'WEAK_PASSWORD',
  },
  resendConfirmation: { ask: () => 'mutation { resendConfirmation }', told: { data: false } },
  logout: { ask: () => 'mutation { logout }', told: { data: true } },
  logoutEverywhere: { ask: () => 'mutation { logoutEverywhere }', told: { data: true } },
};

/** Queries that name nothing: what they answer is the asker's own. */
const LISTS: Record<string, Pick<Case, 'ask'>> = {
  accountDeletion: { ask: () => '{ accountDeletion { articleCount } }' },
  articles: { ask: () => '{ articles { edges { cursor } } }' },
  developerTokens: { ask: () => '{ developerTokens { id } }' },
  imports: { ask: () => '{ imports { edges { cursor } } }' },
  mySeries: { ask: () => '{ mySeries { edges { cursor } } }' },
  tags: { ask: () => '{ tags { tag } }' },
  connections: { ask: () => '{ connections { label } }' },
  notifications: { ask: () => '{ notifications { edges { cursor } } }' },
  unreadNotifications: { ask: () => '{ unreadNotifications }' },
  notificationPreferences: { ask: () => '{ notificationPreferences { type } }' },
  sessions: { ask: () => '{ sessions { id } }' },
};

/** Fields with `skipTypeScopes` and no other scope, which need no session. */
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

test('every mutation, and every query that names something, has a case', () => {
  const naming = listRootFields('Query').filter(({ args }) => args.some(({ name }) => NAMES.test(name)));
  const known = { ...NAMING, ...OWN };
  const missing = [...naming, ...listRootFields('Mutation')].filter(
    ({ name }) => !(name in known) && !PUBLIC.includes(name),
  );
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  );
  // Whoever names something is asked about something foreign, and not taken for one who acts on himself.
  const named = listRootFields('Mutation').filter(({ args }) => args.some(({ name }) => NAMES.test(name)));
  assert.deepEqual(
    named.filter(({ name }) => !(name in NAMING)).map(({ name }) => name),
    // It names what it is about to make.
    ['register'],
  );
});

for (const [name, { ask: write, told }] of Object.entries({ ...NAMING, ...OWN })) {
  test(`${name} tells another author nothing, and changes nothing of the owner's (A18)`, async () => {
    const before = await readEverythingOf(api.db, owner);
    const answer = await ask(api, asker.id, write(foreign));
    if (typeof told === 'string') assert.equal(answer.code, told, answer.text);
    else assert.deepEqual(answer.data[name], told.data, answer.text);
    assert.deepEqual(await readEverythingOf(api.db, owner), before);
  });
}

test('whoever is not signed in reaches what is said to be public, and nothing else', async () => {
  const roots = [...listRootFields('Query'), ...listRootFields('Mutation')];
  const open = roots.filter(({ extensions }) => {
    const options = extensions.pothosOptions as { skipTypeScopes?: boolean; authScopes?: object } | undefined;
    return options?.skipTypeScopes === true && options.authScopes === undefined;
  });
  assert.deepEqual(open.map(({ name }) => name).sort(), PUBLIC);
  const cases: Record<string, Pick<Case, 'ask'>> = { ...NAMING, ...OWN, ...LISTS };
  for (const { name } of roots.filter((field) => !PUBLIC.includes(field.name))) {
    const write = cases[name]?.ask;
    assert.ok(write, `${name} has no case`);
    const answer = await ask(api, null, write(foreign));
    assert.equal(answer.code, 'UNAUTHENTICATED', `${name}: ${answer.text}`);
  }
});
