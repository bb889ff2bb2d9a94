/** The second accounts of the sandbox: owners of posts, and posts made by hand. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildSandbox, OTHER_HASHNODE_PUBLICATION, type SandboxOptions } from '../../sandbox/app.ts';
import { SANDBOX_ACCOUNTS, type SandboxAccount } from '../../sandbox/connectable-accounts.ts';
import { expectDone, openClient, prepareArticle } from '../destinations/destination-harness.ts';
import { ROWS } from '../destinations/rows/index.ts';

interface Listed {
  platform: string;
  account: string;
  remoteId: string;
  title: string;
  canonicalUrl: string | null;
  status: string;
  byHand: boolean;
  changedAt: string;
}

async function start(context: TestContext, options: SandboxOptions = {}) {
  const sandbox = await buildSandbox({ rateLimits: false, ...options });
  context.after(() => sandbox.close());
  const { url } = await sandbox.listen();
  const read = async (path: string) => (await (await fetch(`${url}${path}`)).json()) as Listed[];
  return {
    url,
    posts: () => read('/posts'),
    log: () => read('/log'),
    faults: (faults: object[]) =>
      fetch(`${url}/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(faults),
      }),
  };
}

/** The row of a platform, and its first and second account. */
const PLATFORMS = ROWS.map((row) => {
  const accounts = SANDBOX_ACCOUNTS.filter(({ platform }) => platform === row.destination.platform);
  return { row, name: row.destination.platform, accounts };
});

const open = (row: (typeof ROWS)[number], origin: string, { path, credentials }: SandboxAccount) =>
  openClient(row, origin, { path, credentials: withSettings(row, credentials) });

/** The settings that a probe would add, for platforms with calls that need the account. */
function withSettings(row: (typeof ROWS)[number], credentials: Record<string, string>): Record<string, string> {
  const second = JSON.stringify(credentials).includes('second');
  const settings: Record<string, Record<string, string>> = {
    medium: { userId: second ? '5303d74c64f66366f00cb9b2a94f3251bf6' : '5303d74c64f66366f00cb9b2a94f3251bf5' },
    wordpress: { userId: credentials.username === 'guest' ? '2' : '1' },
    linkedin: { authorUrn: `urn:li:person:${second ? 'second-Person_2' : 'demo-Person_1'}` },
  };
  return { ...credentials, ...settings[row.destination.platform] };
}

for (const { row, name, accounts } of PLATFORMS) {
  const [first, second] = accounts;
  assert.ok(first && second, name);
  const { key } = row;

  test(`${name}: the second account has a post made by hand, the first has none, and the log does not contain it`, async (context) => {
    const sandbox = await start(context);
    const posts = await sandbox.posts();
    const own = posts.filter(({ account }) => account === second.account);
    assert.ok(own.length > 0);
    assert.ok(own.every(({ byHand, platform, status }) => byHand && platform === key && status === 'published'));
    assert.deepEqual(
      posts.filter(({ account }) => account === first.account),
      [],
    );
    assert.deepEqual(await sandbox.log(), []);
  });

  test(`${name}: each account has separate posts, which the log and the list name`, async (context) => {
    const sandbox = await start(context);
    for (const account of [first, second]) {
      const client = open(row, sandbox.url, account);
      const { article, payload } = await prepareArticle(row, client);
      const { remoteId } = expectDone(await client.create(payload));
      const made = { platform: key, account: account.account, remoteId, title: article.title };
      const logged = (await sandbox.log()).at(-1);
      assert.deepEqual({ ...logged, ...made, action: 'create' }, logged);
      const listed = (await sandbox.posts()).find(
        (post) => post.account === made.account && post.remoteId === remoteId,
      );
      assert.deepEqual({ ...listed, ...made, canonicalUrl: article.canonicalUrl, byHand: false }, listed);
      assert.equal(listed?.status, 'published');
    }
  });

  if (row.destination.limits.canUpdate || name === 'linkedin') {
    test(`${name}: an account neither changes nor withdraws posts of another account, made by hand or not`, async (context) => {
      const sandbox = await start(context);
      const theirs = open(row, sandbox.url, second);
      const made = expectDone(await theirs.create((await prepareArticle(row, theirs)).payload));
      const before = await sandbox.posts();
      const client = open(row, sandbox.url, first);
      const { payload } = await prepareArticle(row, client);
      for (const { remoteId } of [made, ...before.filter(({ account }) => account === second.account)]) {
        if (row.destination.limits.canUpdate) assert.notEqual((await client.update(remoteId, payload)).kind, 'done');
        assert.notEqual((await client.withdraw(remoteId)).kind, 'done');
      }
      assert.deepEqual(await sandbox.posts(), before);
    });
  }
}

test('two WordPress sites use the same ids for posts of different people', async (context) => {
  const sandbox = await start(context);
  const { row, accounts } = PLATFORMS.find(({ name }) => name === 'wordpress') ?? assert.fail();
  const [first, second] = accounts;
  assert.ok(first && second);
  const client = open(row, sandbox.url, first);
  const { remoteId } = expectDone(await client.create((await prepareArticle(row, client)).payload));
  const same = (await sandbox.posts()).filter((post) => post.remoteId === remoteId);
  assert.deepEqual(
    same.map(({ account, byHand }) => [account, byHand]),
    [
      [second.account, true],
      [first.account, false],
    ],
  );
});

test('users of one WordPress site cannot edit each other’s posts', async (context) => {
  const sandbox = await start(context);
  const { row, accounts } = PLATFORMS.find(({ name }) => name === 'wordpress') ?? assert.fail();
  const guest = accounts.find(({ account }) => account === 'wordpress-b/guest') ?? assert.fail();
  const client = open(row, sandbox.url, guest);
  const { payload } = await prepareArticle(row, client);
  const theirs = (await sandbox.posts()).find(({ account }) => account === 'wordpress-b/demo') ?? assert.fail();
  const outcome = await client.update(theirs.remoteId, payload);
  assert.ok(outcome.kind === 'rejected', JSON.stringify(outcome));
});

test('one Hashnode user has two publications with separate posts', async (context) => {
  const sandbox = await start(context);
  const { row, accounts } = PLATFORMS.find(({ name }) => name === 'hashnode') ?? assert.fail();
  const other = accounts.find(({ account }) => account === OTHER_HASHNODE_PUBLICATION) ?? assert.fail();
  const [first] = accounts;
  assert.ok(first);
  const client = open(row, sandbox.url, other);
  const { article, payload } = await prepareArticle(row, client);
  const { remoteId } = expectDone(await client.create(payload));
  assert.equal(expectDone(await client.find(article))?.remoteId, remoteId);
  assert.equal(expectDone(await open(row, sandbox.url, first).find(article)), null);
  assert.equal((await sandbox.log()).at(-1)?.account, OTHER_HASHNODE_PUBLICATION);
});

test('a fault may apply to one account only', async (context) => {
  const sandbox = await start(context);
  for (const { row, accounts } of PLATFORMS) {
    const [first, second] = accounts;
    assert.ok(first && second);
    const fault = { platform: row.key, action: 'create', account: second.account, times: 9, status: 500 };
    assert.equal((await sandbox.faults([fault])).status, 200);
    for (const account of [first, second]) {
      const client = open(row, sandbox.url, account);
      const outcome = await client.create((await prepareArticle(row, client)).payload);
      assert.equal(outcome.kind === 'done', account === first, `${account.account}: ${JSON.stringify(outcome)}`);
    }
  }
});

test('a withdrawn post is listed with its status, a deleted one is not, and posts made by hand survive a restart unchanged', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const statePath = join(folder, 'state.jsonl');
  const sandbox = await start(context, { statePath });
  const statuses = [];
  for (const { row, name, accounts } of PLATFORMS) {
    const [first] = accounts;
    assert.ok(first);
    const client = open(row, sandbox.url, first);
    const { remoteId } = expectDone(await client.create((await prepareArticle(row, client)).payload));
    if (name !== 'medium') expectDone(await client.withdraw(remoteId));
    const listed = (await sandbox.posts()).find((post) => post.account === first.account && post.remoteId === remoteId);
    statuses.push([name, listed?.status ?? 'gone']);
  }
  assert.deepEqual(Object.fromEntries(statuses), {
    forem: 'draft',
    hashnode: 'delisted',
    medium: 'published',
    wordpress: 'draft',
    ghost: 'draft',
    linkedin: 'gone',
  });
  const before = await sandbox.posts();
  assert.deepEqual(await (await start(context, { statePath })).posts(), before);
});

test('a renamed user is the same user', async (context) => {
  const credentials = { forem: 'key', hashnode: 'token' };
  const publicationId = OTHER_HASHNODE_PUBLICATION;
  const ids = [];
  for (const name of [{ username: 'old' }, { username: 'new', formerName: 'old' }]) {
    const sandbox = await start(context, {
      foremAccounts: { [credentials.forem]: { ...name, name: 'N' } },
      hashnodeAccounts: { [credentials.hashnode]: { ...name, name: 'N', publicationId, isPro: true } },
    });
    const forem = await fetch(`${sandbox.url}/forem/api/users/me`, { headers: { 'api-key': credentials.forem } });
    const hashnode = await fetch(`${sandbox.url}/hashnode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: credentials.hashnode },
      body: JSON.stringify({ query: '{ me { id } }' }),
    });
    const { data } = (await hashnode.json()) as { data: { me: { id: string } } };
    ids.push([((await forem.json()) as { id: number }).id, data.me.id]);
  }
  assert.deepEqual(ids[0], ids[1]);
});
