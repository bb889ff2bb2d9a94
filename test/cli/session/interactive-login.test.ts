/** `courant login` on a terminal. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import {
  CLI_LAUNCHER,
  type CliHome,
  type CliResult,
  createCliHome,
  ON_TERMINAL,
  runOnTerminal,
  TOKEN,
} from '../cli-home.ts';
import { json, type PublishServer, startPublishServer } from '../publish/publish-server.ts';

const PASSWORD = 'correct horse';

describe('courant login without a token', () => {
  let home: CliHome;
  let server: PublishServer;

  before(async () => {
    server = await startPublishServer();
  });
  beforeEach(async () => {
    home = await createCliHome();
    server.requests.length = 0;
  });
  afterEach(() => home.remove());
  after(() => server.close());

  /** Types the answer to each prompt when it is shown. */
  function typeAnswers(answers: [prompt: string, answer: string][]): Promise<CliResult> {
    const command = `"${process.execPath}" "${CLI_LAUNCHER}" login --endpoint ${server.endpoint}`;
    const remaining = [...answers];
    return runOnTerminal(command, home.folder, (shown) => {
      const [next] = remaining;
      if (next === undefined || !shown.includes(next[0])) return null;
      remaining.shift();
      return next[1];
    });
  }

  it('prompts for e-mail and password, does not show the password, and stores the session', ON_TERMINAL, async () => {
    const claims = Buffer.from(JSON.stringify({ exp: 4_102_444_800 })).toString('base64url');
    const accessToken = `e30.${claims}.sig`;
    server.next(json(200, { data: { login: { accessToken, refreshToken: 'next' } } }));
    const { code, stdout } = await typeAnswers([
      ['E-mail', 'ada@example.com\r'],
      ['Password', `${PASSWORD}\r`],
    ]);
    assert.equal(code, 0, stdout);
    assert.ok(!stdout.includes(PASSWORD), stdout);
    assert.ok(!stdout.includes(accessToken));
    const [request] = server.requests;
    assert.equal(request?.path, '/graphql');
    assert.deepEqual(request?.body.variables, { email: 'ada@example.com', password: PASSWORD });
    assert.match(
      String(request?.body.query),
      /login\(email: \$email, password: \$password\) \{ accessToken refreshToken \}/,
    );
    const stored = JSON.parse(await readFile(join(home.configFolder, 'credentials.json'), 'utf8')) as object;
    assert.deepEqual(stored, {
      endpoint: server.endpoint,
      origins: {
        [server.origin]: {
          session: { accessToken, refreshToken: 'next', email: 'ada@example.com', endpoint: server.endpoint },
        },
      },
    });
    const who = await home.run(['whoami']);
    assert.equal(who.code, 0);
    assert.match(who.stdout, /Session +ada@example\.com at .*, valid until 2100-01-01T00:00:00\.000Z/);
    assert.match(who.stdout, /Publishes with +nothing/);
  });

  it('at another server does not send it the token stored for the first one (A31)', ON_TERMINAL, async () => {
    await home.run(['login', '--token', TOKEN]);
    server.next(json(200, { data: { login: { accessToken: 'e30.e30.sig', refreshToken: 'next' } } }));
    const { code } = await typeAnswers([
      ['E-mail', 'ada@example.com\r'],
      ['Password', `${PASSWORD}\r`],
    ]);
    assert.equal(code, 0);
    const sent = server.requests.length;
    const file = await home.write('post.md', '---\ntitle: Hello\n---\nText.\n');
    const { code: publishCode, stderr } = await home.run(['publish', file]);
    assert.equal(publishCode, 1);
    assert.match(
      stderr,
      /No developer token for http:\/\/127\.0\.0\.1:\d+\. The stored tokens are for http:\/\/localhost:3000/,
    );
    assert.equal(server.requests.length, sent);
  });

  it('shows the rejection of the server and where to set a new password', ON_TERMINAL, async () => {
    const message = 'E-mail or password is wrong';
    server.next(json(200, { data: null, errors: [{ message, extensions: { code: 'UNAUTHENTICATED' } }] }));
    const { code, stdout } = await typeAnswers([
      ['E-mail', 'ada@example.com\r'],
      ['Password', 'x\r'],
    ]);
    assert.equal(code, 1);
    assert.match(stdout, /error:.* Not logged in: E-mail or password is wrong\./);
    assert.match(stdout, /reset it:\S*\s+\S*http:\/\/127\.0\.0\.1:\d+\/account\/forgot-password/);
  });

  it('sends nothing without a password', ON_TERMINAL, async () => {
    const { code, stdout } = await typeAnswers([
      ['E-mail', 'ada@example.com\r'],
      ['Password', '\r'],
    ]);
    assert.equal(code, 2);
    assert.match(stdout, /No password was entered\./);
    assert.equal(server.requests.length, 0);
  });

  it('exits with 130 on Ctrl-C at a prompt', ON_TERMINAL, async () => {
    const { code } = await typeAnswers([
      ['E-mail', 'ada@example.com\r'],
      ['Password', '\u0003'],
    ]);
    assert.equal(code, 130);
    assert.equal(server.requests.length, 0);
  });

  it('exits with 1 if the input ends', ON_TERMINAL, async () => {
    assert.equal((await typeAnswers([['E-mail', '\u0004']])).code, 1);
  });

  it('needs no terminal with --email and --password-stdin', async () => {
    const log = (input: string) =>
      home.run(['login', '--email', 'ada@example.com', '--password-stdin', '--endpoint', server.endpoint], { input });
    server.next(json(200, { data: { login: { accessToken: 'e30.e30.sig', refreshToken: 'next' } } }));
    const { code, stdout, stderr } = await log(`${PASSWORD}\n`);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Logged in as ada@example\.com\./);
    assert.deepEqual(server.requests[0]?.body.variables, { email: 'ada@example.com', password: PASSWORD });
    assert.ok(!(stdout + stderr).includes(PASSWORD));
    const empty = await log('');
    assert.equal(empty.code, 2);
    assert.match(empty.stderr, /No password was entered\./);
  });

  it('exits with 2 without a terminal, and the message says what to do', async () => {
    const { code, stderr } = await home.run(['login']);
    assert.equal(code, 2);
    assert.match(stderr, /no terminal to enter.*\n.*SERVICE_TOKEN.*courant login --token -/);
    assert.equal(server.requests.length, 0);
  });
});
