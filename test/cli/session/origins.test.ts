/** A credential is sent only to the server that it belongs to. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type CliHome, createCliHome } from '../cli-home.ts';
import { json, type PublishServer, startPublishServer } from '../publish/publish-server.ts';

const FIRST = `courant_${'1'.repeat(48)}`;
const SECOND = `courant_${'2'.repeat(48)}`;

describe('stored tokens of two servers (A31)', () => {
  let home: CliHome;
  let one: PublishServer;
  let two: PublishServer;
  let file: string;

  before(async () => {
    [one, two] = await Promise.all([startPublishServer(), startPublishServer()]);
  });
  beforeEach(async () => {
    home = await createCliHome();
    file = await home.write('post.md', '---\ntitle: Hello\n---\nText.\n');
    one.requests.length = 0;
    two.requests.length = 0;
  });
  afterEach(() => home.remove());
  after(async () => {
    await one.close();
    await two.close();
  });

  const login = (token: string, ...flags: string[]) => home.run(['login', '--token', token, ...flags]);
  const sentTo = (server: PublishServer) => server.requests.map(({ headers }) => headers.authorization);

  it('the token of one server is not sent to the other, however its address is configured', async () => {
    await login(FIRST, '--endpoint', one.endpoint);
    for (const [flags, env] of [
      [['--endpoint', two.endpoint], {}],
      [[], { COURANT_ENDPOINT: two.endpoint }],
    ] as const) {
      const { code, stderr } = await home.run(['publish', file, ...flags], { env });
      assert.equal(code, 1);
      assert.ok(
        stderr.includes(`No developer token for ${two.origin}. The stored tokens are for ${one.origin}.`),
        stderr,
      );
      assert.ok(stderr.includes(`courant login --token <token> --endpoint ${two.origin}`));
    }
    assert.deepEqual(sentTo(two), []);
  });

  it('each server is sent its own token, and the last login sets the default server', async () => {
    await login(FIRST, '--endpoint', one.endpoint);
    await login(SECOND, '--endpoint', two.endpoint);
    await home.run(['publish', file]);
    await home.run(['publish', file, '--endpoint', one.endpoint]);
    assert.deepEqual([sentTo(one), sentTo(two)], [[`Bearer ${FIRST}`], [`Bearer ${SECOND}`]]);
    const { stdout } = await home.run(['whoami']);
    assert.match(stdout, /Stored token +courant_2222…2222/);
    assert.ok(stdout.includes(`courant_1111…1111 for ${one.origin}`), stdout);
  });

  it('login warns about a token that is not bound to a server, also from stdin', async () => {
    const read = (...flags: string[]) => home.run(['login', '--token', '-', ...flags], { input: `${FIRST}\n` });
    for (const { code, stderr } of [await read(), await login(FIRST)]) {
      assert.equal(code, 0);
      assert.match(stderr, /^warning: This token is not bound to a server.*--endpoint/m);
    }
    assert.doesNotMatch((await read('--endpoint', one.endpoint)).stderr, /not bound/);
    assert.doesNotMatch((await read()).stderr, /not bound/, 'the endpoint is stored now');
  });

  it('a token without a server is bound to the first one that accepts it', async () => {
    await login(FIRST);
    one.next(json(401, { success: false, code: 'unauthorized', detail: 'No.' }));
    assert.equal((await home.run(['publish', file, '--endpoint', one.endpoint])).code, 1);
    assert.equal((await home.run(['publish', file, '--endpoint', two.endpoint])).code, 0);
    assert.equal((await home.run(['publish', file, '--endpoint', one.endpoint])).code, 1);
    assert.deepEqual([sentTo(one).length, sentTo(two)], [1, [`Bearer ${FIRST}`]]);
  });

  it('a token without a server is bound to the local one when another server is configured', async () => {
    await login(FIRST);
    await login(SECOND, '--endpoint', two.endpoint);
    await home.run(['publish', file]);
    assert.deepEqual(sentTo(two), [`Bearer ${SECOND}`]);
    const stored = JSON.parse(await readFile(join(home.configFolder, 'credentials.json'), 'utf8'));
    assert.deepEqual(stored.origins['http://localhost:3000'], { developerToken: FIRST });
  });
});
