/**
 * Requests every route and GraphQL field from an account without a confirmed address. Those not
 * listed here must reject it, so that a new one is rejected until it is allowed on purpose.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { fillRoute, listRoutes, type Route } from '../../support/api/routes.ts';
import { listRootFields } from '../graphql/support/deepest-query.ts';
import { writeFilledCall } from '../graphql/support/filled-call.ts';
import { addBelongings, type Belongings, readEverythingOf } from '../support/belongings.ts';

let api: TestApi;
let account: TestAuthor;
let belongings: Belongings;
before(async () => {
  // The test needs no Temporal server.
  api = await startTestApi({ temporal: '127.0.0.1:1' });
  account = await api.createAuthor('unconfirmed');
  belongings = await addBelongings(api, account);
  await api.db.updateTable('users').set({ emailConfirmedAt: null }).where('id', '=', account.id).execute();
});
after(() => api.close());

/** Routes with a session: sign-in and sign-out, own settings, and removal of own data. */
const ALLOWED_ROUTES = [
  ...['/login', '/logout', '/register', '/account/forgot-password', '/account/resend-confirmation'],
  ...['/desk/articles/:id/:destination/skip', '/desk/articles/:id/:destination/withdraw'],
  ...['/desk/articles/:id/cancel', '/desk/articles/:id/delete', '/desk/articles/:id/unpublish'],
  ...['/desk/notifications/read', '/desk/settings/connections/:destination/disconnect', '/desk/settings/delete'],
  ...['/desk/settings/digest', '/desk/settings/export', '/desk/settings/notifications', '/desk/settings/password'],
  ...['/desk/settings/profile', '/desk/settings/sessions/:id/end', '/desk/settings/sessions/end-all'],
  ...['/desk/settings/tokens/:id/revoke', '/comments/:id/delete', '/people/:username/unfollow'],
  // Needs no account.
  '/people/:username/subscribe',
  // Checked per field.
  '/graphql',
];
/** Routes that read no session: links in mails, reports of readers, and documents for agents. */
const WITHOUT_SESSION = [
  ...['/account/confirm-email', '/account/reset-password', '/digest/unsubscribe', '/newsletter/confirm'],
  ...['/newsletter/leave', '/api/v1/articles/:slug/readings', '/mcp'],
];

test('every route that is not explicitly allowed rejects an account without a confirmed address (A37)', async () => {
  const routes = listRoutes(api).filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
  const isAllowed = ({ pattern }: Route) => ALLOWED_ROUTES.includes(pattern);
  // Records that the token was used, once a minute.
  const { status: published, body } = await api.publish({ content: '# By an unconfirmed account' }, account);
  assert.deepEqual([published, body.code], [403, 'email_not_confirmed']);

  const credentials = await issueCredentials();
  const everything = await readEverythingOf(api.db, account);
  const notRefused: string[] = [];
  for (const route of routes.filter((route) => !isAllowed(route))) {
    if (!(await isRefused(route, credentials))) notRefused.push(route.pattern);
  }
  assert.deepEqual(notRefused.sort(), [...WITHOUT_SESSION].sort());
  assert.deepEqual(await readEverythingOf(api.db, account), everything, 'nothing was changed');

  const allowed = routes.filter(isAllowed);
  assert.deepEqual(allowed.map(({ pattern }) => pattern).sort(), [...ALLOWED_ROUTES].sort());
  // Some of these routes end the session.
  for (const route of allowed) assert.equal(await isRefused(route, await issueCredentials()), false, route.pattern);
});

/** Mutations that need a session, but no confirmed address. */
const ALLOWED_MUTATIONS = [
  ...['changePassword', 'deleteAccount', 'exportEverything', 'logout', 'logoutEverywhere', 'resendConfirmation'],
  ...['revokeDeveloperToken', 'revokeSession', 'setDigestSettings', 'setNotificationPreference', 'updateProfile'],
  ...['cancelImport', 'deleteArticle', 'deleteComment', 'deleteSeries', 'disconnectDestination', 'markRead'],
  ...['removeFromSeries', 'skipDelivery', 'unfollow', 'unpublishArticle', 'unreact', 'withdrawDelivery'],
];
/** Mutations that need no account. */
const FOR_STRANGERS = [
  ...['confirmEmail', 'login', 'refreshSession', 'register', 'requestPasswordReset', 'resetPassword', 'subscribe'],
];
/**
 * Queries only read. One that uses shared resources needs the guard, so new ones are listed here.
 */
const READS = [
  ...['accountDeletion', 'article', 'articles', 'audience', 'comments', 'connections', 'deliveries', 'developerTokens'],
  ...['digestSettings', 'engagement', 'import', 'imports', 'me', 'mySeries', 'notificationPreferences'],
  ...['notifications', 'offers', 'readings', 'series', 'sessions', 'tags', 'unreadNotifications', 'user'],
];

test('every GraphQL field that is not explicitly allowed rejects an account without a confirmed address (A37)', async () => {
  for (const [root, expected] of [
    ['Mutation', [...ALLOWED_MUTATIONS, ...FOR_STRANGERS]],
    ['Query', READS],
  ] as const) {
    const allowed: string[] = [];
    for (const field of listRootFields(root)) {
      const { name } = field;
      const { query, variables } = writeFilledCall(root, field, 'x');
      const { code, status } = await runGraphql(api, account.id, query, variables);
      assert.equal(status, 200, name);
      if (code !== 'EMAIL_NOT_CONFIRMED') allowed.push(name);
    }
    assert.deepEqual(allowed.sort(), [...expected].sort());
  }
});

test('readers do not see the profile of an account before its address is confirmed', async () => {
  const { id, username } = await api.createAuthor('newcomer');
  const bio = 'Cheap watches at https://shop.example.org';
  const confirm = (emailConfirmedAt: Date | null) =>
    api.db.updateTable('users').set({ bio, emailConfirmedAt }).where('id', '=', id).execute();
  const statuses = async () => {
    const paths = [`/authors/${username}`, `/authors/${username}/feed.xml`];
    const pages = await Promise.all(paths.map((path) => fetch(api.url + path)));
    const { data } = await runGraphql(api, api.author.id, `{ user(username: "${username}") { bio } }`);
    return [...pages.map(({ status }) => status), data?.user ?? null];
  };
  await confirm(null);
  assert.deepEqual(await statuses(), [404, 404, null]);
  await confirm(new Date());
  assert.deepEqual(await statuses(), [200, 200, { bio }]);
});

interface Credentials {
  cookie: string;
  bearer: string;
}

async function issueCredentials(): Promise<Credentials> {
  return {
    cookie: await api.sessions.issue('courant:cookie', account.id),
    bearer: await api.sessions.issue('courant:session', account.id),
  };
}

/** Sends the credential that the route accepts: a cookie, an access token or a developer token. */
async function isRefused({ method, pattern }: Route, { cookie, bearer }: Credentials): Promise<boolean> {
  const isProgram = /^\/(?:api|graphql|mcp)/.test(pattern);
  const values = { id: belongings.articleId, slug: belongings.slug, username: 'somebody', destination: 'blogsite_a' };
  const path = fillRoute({ method, pattern }, (name) => (values as Record<string, string>)[name] ?? 'x');
  const token = pattern === '/api/v1/articles' ? account.token : bearer;
  const response = await fetch(api.url + path, {
    method,
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      'sec-fetch-site': 'same-origin',
      ...(isProgram
        ? { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        : { cookie: `courant_session=${cookie}` }),
    },
    body: isProgram ? '{}' : new URLSearchParams({ body: 'x', kind: 'like' }),
  });
  const text = await response.text();
  if (response.status !== 403 || !text.includes('email_not_confirmed')) return false;
  assert.match(text, /Confirm your e-mail address first/, pattern);
  return true;
}
