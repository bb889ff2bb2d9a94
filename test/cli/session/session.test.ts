/** Commands with a session, against a real API with a worker and destinations. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { CLI_LAUNCHER, type CliHome, createCliHome, runOnTerminal } from '../cli-home.ts';

/** `script` of util-linux provides a terminal. */
const HAS_SCRIPT = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
const EMAIL = 'ada@example.org';
const PASSWORD = 'a good long password';
const EXPIRED = `e30.${Buffer.from('{"exp":1}').toString('base64url')}.x`;

describe('a logged-in person', { skip: !HAS_SCRIPT && 'needs script(1) of util-linux' }, () => {
  let world: DeliveryWorld;
  let home: CliHome;
  let path: string;
  let userId: string;

  before(async () => {
    world = await startDeliveryWorld();
    home = await createCliHome();
    path = join(home.configFolder, 'credentials.json');
    const register = `mutation { register(username: "ada", name: "Ada", email: "${EMAIL}", password: "${PASSWORD}") { accessToken } }`;
    await post(register);
    const { id } = await world.api.db
      .updateTable('users')
      .set({ emailConfirmedAt: new Date() })
      .where('username', '=', 'ada')
      .returning('id')
      .executeTakeFirstOrThrow();
    userId = id;
    for (const key of ['blogsite_a', 'blogsite_b'] as const) await world.connect({ ...world.api.author, id }, key);
    const { code, stdout } = await logIn();
    assert.equal(code, 0, stdout);
  });
  after(async () => {
    await home.remove();
    await world.close();
  });

  async function post(query: string, token?: string): Promise<string> {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { 'content-type': 'application/json', ...authorization };
    const response = await fetch(`${world.api.url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    return response.text();
  }

  function logIn() {
    const remaining = [
      ['E-mail', EMAIL],
      ['Password', PASSWORD],
    ];
    const command = `"${process.execPath}" "${CLI_LAUNCHER}" login --endpoint ${world.api.url}`;
    return runOnTerminal(command, home.folder, (shown) => {
      const [next] = remaining;
      if (next === undefined || !shown.includes(String(next[0]))) return null;
      remaining.shift();
      return `${next[1]}\r`;
    });
  }

  interface Stored {
    developerToken: string;
    developerTokenId: string;
    session: { accessToken: string; refreshToken: string };
  }
  const readStored = async () => {
    const { origins } = JSON.parse(await readFile(path, 'utf8')) as { origins: Record<string, Stored> };
    return { origins, entry: origins[world.api.url] as Stored };
  };

  it('is shown by whoami, online and offline, and has a developer token of this machine', async () => {
    const { entry } = await readStored();
    assert.match(entry.developerToken, /^courant_[0-9a-f]{48}$/);
    const online = await home.run(['whoami']);
    assert.match(online.stdout, /Account +ada \(Ada\)\n/);
    assert.match(online.stdout, /Session +ada@example\.org .*valid until .*renewed as it is used/);
    assert.match((await home.run(['whoami', '--offline'])).stdout, /Account +unknown: offline/);
    const json = JSON.parse((await home.run(['whoami', '--json'])).stdout) as { account: { username: string } };
    assert.equal(json.account.username, 'ada');
    assert.match(await post('query { developerTokens { name } }', entry.session.accessToken), /"courant on /);
  });

  it('keeps that token at the next login, which ends the former session', async () => {
    const before = (await readStored()).entry;
    assert.equal((await logIn()).code, 0);
    const { entry } = await readStored();
    assert.equal(entry.developerToken, before.developerToken);
    assert.match(await post('query { sessions { id } }', before.session.accessToken), /The session has ended/);
  });

  it('publishes several files and waits until each is delivered', async () => {
    for (const name of ['one', 'two']) await home.write(`${name}.md`, `---\ntitle: Waited ${name}\n---\nText.\n`);
    const { code, stdout, stderr } = await home.run(['publish', '*.md', '--wait', '--json']);
    assert.equal(code, 0, stderr);
    const lines = stdout.trim().split('\n');
    const articles = lines.map(
      (line) =>
        JSON.parse(line) as { file: string; delivered: boolean; deliveries: { state: string; remoteUrl: string }[] },
    );
    assert.deepEqual(articles.map(({ file }) => file).sort(), ['one.md', 'two.md']);
    for (const { delivered, deliveries } of articles) {
      assert.equal(delivered, true);
      assert.deepEqual(
        deliveries.map(({ state }) => state),
        ['delivered', 'delivered'],
      );
    }
  });

  it('gets exit code 1 and the reason if a destination rejects an article', async () => {
    await world.faults([
      {
        platform: 'blogsite_a',
        action: 'create',
        times: 1,
        status: 422,
        body: { error: 'Title is spam', status: 422 },
      },
    ]);
    const file = await home.write('refused.md', '---\ntitle: Refused there\n---\nText.\n');
    const { code, stdout, stderr } = await home.run(['publish', file, '--wait']);
    assert.equal(code, 1, stderr);
    assert.match(stdout, /DEV +failed .*spam/i);
    assert.match(stdout, /Hashnode +delivered +http/);
    assert.match(stderr, /1 delivery has not succeeded/);
  });

  it('waits while an update is retried at an unavailable destination', async () => {
    const file = await home.write('one.md', '---\ntitle: Waited one\n---\nAnother text.\n');
    await world.faults([{ platform: 'blogsite_a', action: 'update', times: 1, status: 503 }]);
    const { code, stdout, stderr } = await home.run(['publish', file, '--wait']);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /DEV +delivered +http/);
  });

  it('sees the deliveries of an article, by file and by slug', async () => {
    for (const name of ['one.md', 'waited-one', `${world.api.url}/waited-one`]) {
      const { code, stdout, stderr } = await home.run(['status', name]);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^Waited one {2}PUBLISHED .*\n {2}DEV +delivered +http/);
    }
    const misspelt = await home.run(['status', 'posts/no-such.md']);
    assert.equal(misspelt.code, 2);
    assert.match(misspelt.stderr, /There is no such file: posts\/no-such\.md/);
    const unknown = await home.run(['status', 'no-such-post']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /no article with the slug "no-such-post"/);
  });

  it('lists the articles that a newly connected account lacks, and sends the named ones', async () => {
    for (const name of ['first', 'second', 'third']) {
      const frontmatter = `title: Offered ${name}\ncross_post:\n  blogsite_c: true`;
      const file = await home.write(`${name}.md`, `---\n${frontmatter}\n---\nText.\n`);
      assert.equal((await home.run(['publish', file])).code, 0);
    }
    const early = await home.run(['send', 'blogsite_c']);
    assert.equal(early.code, 1);
    assert.match(early.stderr, /No account is connected at blogsite_c/);

    await world.connect({ ...world.api.author, id: userId }, 'blogsite_c');
    const listed = await home.run(['send', 'blogsite_c']);
    assert.equal(listed.code, 0, listed.stderr);
    assert.match(listed.stdout, /^3 articles can be sent to .*Medium.*\n( {2}offered-\w+ {2}Offered \w+\n){3}$/);
    const unknown = await home.run(['send', 'blogsite_c', 'offered-first', 'no-such-post']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /"no-such-post" is not in the list/);

    const sent = await home.run(['send', 'blogsite_c', 'offered-first']);
    assert.match(sent.stdout, /^Sending 1 article to .*:\n {2}offered-first {2}Offered first\n$/, sent.stderr);
    const rest = await home.run(['send', 'blogsite_c', '--all', '--json']);
    const { offers, sent: slugs } = JSON.parse(rest.stdout) as { offers: unknown[]; sent: string[] };
    assert.deepEqual([offers.length, slugs.toSorted()], [2, ['offered-second', 'offered-third']]);
    const none = await home.run(['send', 'blogsite_c']);
    assert.match(none.stdout, /^No articles to send to /);
  });

  it('can select the articles to send on a terminal', async () => {
    const file = await home.write('at-hand.md', '---\ntitle: At hand\ncross_post:\n  social_feed: true\n---\nText.\n');
    assert.equal((await home.run(['publish', file])).code, 0);
    await world.connect({ ...world.api.author, id: userId }, 'social_feed');
    const keys = [' ', '\r'];
    const { code, stdout } = await runOnTerminal(
      `"${process.execPath}" "${CLI_LAUNCHER}" send social_feed`,
      home.folder,
      (shown) => (shown.includes('At hand') ? (keys.shift() ?? null) : null),
    );
    assert.equal(code, 0, stdout);
    assert.match(stdout, /Sending 1 article to .*LinkedIn/);
  });

  it('can continue after the access token has expired, also with concurrent commands', async () => {
    const { origins, entry } = await readStored();
    entry.session.accessToken = EXPIRED;
    await writeFile(path, JSON.stringify({ endpoint: `${world.api.url}/graphql`, origins }));
    const results = await Promise.all(Array.from({ length: 3 }, () => home.run(['status', 'waited-one'])));
    for (const { code, stderr } of results) assert.equal(code, 0, stderr);
    const { session } = (await readStored()).entry;
    assert.notEqual(session.refreshToken, entry.session.refreshToken);
    assert.match(await post('query { sessions { id } }', session.accessToken), /"sessions":\[/);
  });

  it('can log out, which revokes session and token and removes them from this machine', async () => {
    const { entry } = await readStored();
    const { code, stderr } = await home.run(['logout']);
    assert.equal(code, 0);
    assert.match(stderr, /Ended the session at .* and revoked its token/);
    assert.match(await post('query { sessions { id } }', entry.session.accessToken), /The session has ended/);
    const late = await home.run(['publish', 'one.md', '--endpoint', world.api.url, '--token', entry.developerToken]);
    assert.match(late.stderr, /401/);
    assert.equal((await home.run(['publish', 'one.md', '--wait', '--endpoint', world.api.url])).code, 1);
  });
});
