/** Output of the command line when the server rejects a publish or responds unexpectedly. */
import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { TOKEN } from '../cli-home.ts';
import {
  type AnswerRequest,
  created,
  json,
  plain,
  problem,
  setUpPublish,
  startPublishServer,
} from './publish-server.ts';

describe('when the server rejects a publish', () => {
  const cli = setUpPublish();

  const publish = (...flags: string[]) =>
    cli.home.run(['publish', cli.file, '--endpoint', cli.server.endpoint, '--token', TOKEN, ...flags]);

  async function refuse(answer: AnswerRequest, code: number, ...messages: RegExp[]): Promise<void> {
    cli.server.next(answer);
    const result = await publish();
    for (const message of messages) assert.match(result.stderr, message);
    assert.equal(result.code, code);
    assert.equal(result.stdout, '');
    assert.doesNotMatch(result.stderr, /unknown error/i);
    assert.equal(cli.server.requests.length, 1);
    assert.ok(!result.stderr.includes(TOKEN));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for.
    assert.doesNotMatch(result.stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    assert.doesNotMatch(result.stderr, /^error: forged/m);
  }

  const UNPROCESSABLE = {
    title: 'The article is not valid',
    detail: '2 fields are not valid.',
    code: 'invalid_article',
    errors: [
      { path: 'series_id', message: 'There is no series "s-9".', line: 2, column: 1 },
      { path: 'category', message: 'Choose one of frontend, backend.' },
    ],
  };

  it('every problem is shown with its path and position', async () => {
    await refuse(
      problem(422, UNPROCESSABLE),
      2,
      /^error: The server returned 422 \(The article is not valid\): 2 fields are not valid\.$/m,
      /^ {2}\S*post\.md:2:1: series_id: There is no series "s-9"\.$/m,
      /^ {2}\S*post\.md: category: Choose one of frontend, backend\.$/m,
      /^ {2}Request req-77$/m,
    );
  });

  it('the failure is printed as JSON with --json', async () => {
    cli.server.next(problem(422, UNPROCESSABLE));
    const { code, stdout } = await publish('--json');
    assert.equal(code, 2);
    const failure = JSON.parse(stdout) as Record<string, unknown>;
    assert.equal(failure.success, false);
    assert.equal(failure.status, 422);
    assert.equal(failure.code, 'invalid_article');
    assert.equal(failure.requestId, 'req-77');
    assert.deepEqual(failure.errors, UNPROCESSABLE.errors);
  });

  it('every failing command prints one JSON object with --json', async () => {
    for (const [args, code] of [
      [['publish', '--bogus', 'post.md'], 2],
      [['publish', 'absent.md'], 2],
      [['status', 'hello'], 1],
      [['import', 'nowhere', 'ann'], 2],
      [['import', 'rss', 'https://example.org'], 1],
      [['export', 'out'], 1],
      [['whoami'], 1],
    ] as const) {
      const result = await cli.home.run([
        ...args,
        '--json',
        ...(args[0] === 'publish' ? [] : ['--endpoint', cli.server.endpoint]),
      ]);
      assert.equal(result.code, code, args.join(' '));
      const failure = JSON.parse(result.stdout) as Record<string, unknown>;
      if (args[0] !== 'whoami') assert.deepEqual([failure.success, failure.exitCode], [false, code], args.join(' '));
    }
  });

  it('a published article is reported even if its deliveries cannot be followed', async () => {
    const session = {
      accessToken: 'ended',
      refreshToken: 'ended',
      email: 'ada@example.org',
      endpoint: cli.server.endpoint,
    };
    await mkdir(cli.home.configFolder, { recursive: true });
    const path = 'config/credentials.json';
    for (const flags of [['--wait'], ['--wait', '--json']]) {
      await cli.home.write(path, JSON.stringify({ origins: { [cli.server.origin]: { session } } }));
      const ended = json(401, { detail: 'The session has ended.' });
      cli.server.next(created(), ended, ended);
      const { code, stdout, stderr } = await publish(...flags);
      assert.equal(code, 1, stderr);
      assert.match(stderr, /The session has ended/);
      assert.match(stdout, /https:\/\/courant\.example\/hello/);
      if (flags.length > 1)
        assert.deepEqual(
          stdout
            .trim()
            .split('\n')
            .map((line) => (JSON.parse(line) as { success: boolean }).success),
          [true, false],
        );
    }
    await rm(join(cli.home.folder, path));
  });

  it('a rejected token is masked and described by its source', async () => {
    const answer = problem(401, { title: 'Unauthorized', detail: 'The token is revoked.' });
    await refuse(answer, 1, /401 \(Unauthorized\): The token is revoked\./, /courant_0123…cdef, from --token/);
  });

  it('a suspended author is shown the reason', () =>
    refuse(
      problem(403, { title: 'Forbidden', detail: 'Your account is suspended.' }),
      1,
      /Your account is suspended\./,
    ));

  it('a document that is too large for the server exits with 2', () =>
    refuse(problem(413, { title: 'Content Too Large' }), 2, /413 \(Content Too Large\)\.$/m));

  it('a rate limit of more than a minute fails at once', () =>
    refuse(problem(429, { title: 'Too Many Requests' }, { 'retry-after': '3600' }), 1, /Try again in 3600 s/));

  it('a redirect is not followed with the token', async () => {
    const other = await startPublishServer();
    try {
      const location = `${other.origin}/api/v1/articles`;
      await refuse(plain(307, '', { location }), 1, /307/, new RegExp(`redirects to ${location}.*--endpoint`));
      assert.equal(other.connections(), 0);
    } finally {
      await other.close();
    }
  });

  it('a page of a proxy is reported as such', () =>
    refuse(
      plain(500, '<html>oops</html>', { 'content-type': 'text/html' }),
      1,
      /500 \(Internal Server Error\): no readable reason \(text\/html\)/,
    ));

  it('an empty body is reported as such', () => refuse(plain(500, ''), 1, /no reason \(empty body\)/));

  it('a response of another server is reported as such', async () => {
    await refuse(
      plain(404, 'not here', { 'content-type': 'text/plain' }),
      1,
      /404 .*: not here/,
      /Is .* a Courant server\?/,
    );
    cli.server.requests.length = 0;
    await refuse(json(200, { hello: 'world' }), 1, /returned 200 .* which is not a response of a Courant server/);
    cli.server.requests.length = 0;
    await refuse(json(201, { success: true, action: 'created', data: {} }), 1, /not a response of a Courant server/);
  });

  it('malformed problems are ignored', () =>
    refuse(
      problem(400, { title: 7, errors: [null, 'plain words', { path: 3, message: 'third' }, { message: null }] }),
      1,
      /^ {2}\S*post\.md: plain words$/m,
      /^ {2}\S*post\.md: third$/m,
    ));

  it('an endless response is aborted', async () => {
    const endless: AnswerRequest = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = 'x'.repeat(65_536);
      const push = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', push);
      push();
    };
    await refuse(endless, 1, /more than 1 MiB/);
  });

  it('terminal escapes in server messages are made visible (A23)', async () => {
    const evil = '\u001b[2J\u001b]0;owned\u0007 \u009b31m\r\nerror: forged \u202e';
    await refuse(
      problem(422, { title: evil, detail: evil, errors: [{ path: evil, message: evil }], requestId: evil }),
      2,
      /\\x1b\[2J\\x1b\]0;owned\\x07 \\x9b31m error: forged \\u202e/,
    );
  });
});
