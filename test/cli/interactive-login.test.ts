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
} from './cli-home.ts';
import { json, type PublishServer, startPublishServer } from './publish-server.ts';

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

  /** Answers each prompt when it is shown, as a person would. */
  function typeAnswers(answers: [prompt: string, answer: string][]): Promise<CliResult> {
    const command = `"${process.execPath}" "${CLI_LAUNCHER}" login --endpoint ${server.endpoint}`;
    const left = [...answers];
    return runOnTerminal(command, home.folder, (shown) => {
      const [next] = left;
      if (next === undefined || !shown.includes(next[0])) return null;
      left.shift();
      return next[1];
    });
  }

  it('asks for e-mail and password, does not show the password, and stores the session', ON_TERMINAL, async () => {
    const claims = Buffer.from(JSON.stringify({ exp: 4_102_444_800 })).toString('base64url');
    const accessToken = `e30.${claims}.sig`;
    server.next(json(200, { data: { login: { accessToken } } }));
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
      origins: { [server.origin]: { session: { accessToken, email: 'ada@example.com', endpoint: server.endpoint } } },
    });
    const who = await home.run(['whoami']);
    assert.equal(who.code, 0);
    assert.match(who.stdout, /Session +ada@example\.com at .*, valid until 2100-01-01T00:00:00\.000Z/);
    assert.match(who.stdout, /Publishes with +nothing/);
  });

  it('at another server leaves the token that was stored for the first one there (A31)', ON_TERMINAL, async () => {
    await home.run(['login', '--token', TOKEN]);
    server.next(json(200, { data: { login: { accessToken: 'e30.e30.sig' } } }));
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
      /No developer token for http:\/\/127\.0\.0\.1:\d+; what is stored is for http:\/\/localhost:3000/,
    );
    assert.equal(server.requests.length, sent);
  });

  it('shows the message of the server if it refuses, and where a new password is set', ON_TERMINAL, async () => {
    const message = 'E-mail or password is wrong';
    server.next(json(200, { data: null, errors: [{ message, extensions: { code: 'UNAUTHENTICATED' } }] }));
    const { code, stdout } = await typeAnswers([
      ['E-mail', 'ada@example.com\r'],
      ['Password', 'x\r'],
    ]);
    assert.equal(code, 1);
    assert.match(stdout, /error:.* Not logged in: E-mail or password is wrong\./);
    assert.match(stdout, /where you forgot it:\S*\s+\S*http:\/\/127\.0\.0\.1:\d+\/account\/forgot-password/);
  });

  it('sends nothing where no password was entered', ON_TERMINAL, async () => {
    const { code, stdout } = await typeAnswers([
      ['E-mail', 'ada@example.com\r'],
      ['Password', '\r'],
    ]);
    assert.equal(code, 2);
    assert.match(stdout, /No password was entered\./);
    assert.equal(server.requests.length, 0);
  });

  it('ends with 130 on Ctrl-C at a prompt', ON_TERMINAL, async () => {
    const { code } = await typeAnswers([
      ['E-mail', 'ada@example.com\r'],
      ['Password', '\u0003'],
    ]);
    assert.equal(code, 130);
    assert.equal(server.requests.length, 0);
  });

  it('ends with 1 if the input ends', ON_TERMINAL, async () => {
    assert.equal((await typeAnswers([['E-mail', '\u0004']])).code, 1);
  });

  it('ends with 2 if there is no terminal, and says what to do', async () => {
    const { code, stderr } = await home.run(['login']);
    assert.equal(code, 2);
    assert.match(stderr, /no terminal to ask.*\n.*SERVICE_TOKEN.*courant login --token -/);
    assert.equal(server.requests.length, 0);
  });
});
