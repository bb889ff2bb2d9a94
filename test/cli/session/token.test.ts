/** Developer tokens and endpoints: sources, masking and encryption. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { checkToken, maskToken } from '../../../cli/credentials/token.ts';
import { parseEndpoint, refuseClearText } from '../../../cli/server/endpoint.ts';
import { runs } from '../../support/property-runs.ts';
import { type CliHome, createCliHome, TOKEN } from '../cli-home.ts';
import { type PublishServer, startPublishServer } from '../publish/publish-server.ts';

const makeToken = (digit: string) => `courant_${digit.repeat(48)}`;

describe('the developer token', () => {
  let home: CliHome;
  let server: PublishServer;
  let file: string;

  before(async () => {
    server = await startPublishServer();
  });
  beforeEach(async () => {
    home = await createCliHome();
    file = await home.write('post.md', '---\ntitle: Hello\n---\nText.\n');
    server.requests.length = 0;
  });
  afterEach(() => home.remove());
  after(() => server.close());

  const publish = (flags: string[], env: Record<string, string>) =>
    home.run(['publish', file, '--endpoint', server.endpoint, ...flags], { env });
  const sentToken = () => server.requests.at(-1)?.headers.authorization;

  it('is read from --token, else SERVICE_TOKEN, else the stored one', async () => {
    await home.run(['login', '--token', makeToken('c')]);
    await publish([], {});
    assert.equal(sentToken(), `Bearer ${makeToken('c')}`);
    await publish([], { SERVICE_TOKEN: makeToken('b') });
    assert.equal(sentToken(), `Bearer ${makeToken('b')}`);
    await publish(['--token', makeToken('a')], { SERVICE_TOKEN: makeToken('b') });
    assert.equal(sentToken(), `Bearer ${makeToken('a')}`);
    await publish(['-t', makeToken('d')], {});
    assert.equal(sentToken(), `Bearer ${makeToken('d')}`);
  });

  it('is required, and the message says what to do', async () => {
    const { code, stderr } = await publish([], {});
    assert.equal(code, 1);
    assert.match(stderr, /error: No developer token\.\n.*courant login --token/);
    const empty = await publish([], { SERVICE_TOKEN: ' ' });
    assert.match(empty.stderr, /SERVICE_TOKEN is set but empty/);
    assert.equal(server.requests.length, 0);
  });

  it('may end with a line break, as secrets often do', async () => {
    const { code } = await publish([], { SERVICE_TOKEN: `${makeToken('b')}\n` });
    assert.equal(code, 0);
    assert.equal(sentToken(), `Bearer ${makeToken('b')}`);
  });

  it('is rejected before anything is sent if it is malformed, and is not printed', async () => {
    const bad = `courant_${'1'.repeat(47)}`;
    for (const result of [await publish(['--token', bad], {}), await publish([], { SERVICE_TOKEN: bad })]) {
      assert.equal(result.code, 2);
      assert.match(result.stderr, /it has 47 digits after "courant_" instead of 48/);
      assert.ok(!(result.stdout + result.stderr).includes(bad));
    }
    assert.equal(server.requests.length, 0);
  });

  it('is never printed in full', async () => {
    const everything = [
      await home.run(['login', '--token', TOKEN]),
      await home.run(['whoami']),
      await publish([], {}),
      await publish(['--dry-run'], { SERVICE_TOKEN: TOKEN }),
      await home.run(['logout']),
    ];
    for (const { stdout, stderr } of everything) assert.ok(!(stdout + stderr).includes(TOKEN));
  });

  it('is not sent over a network unencrypted', async () => {
    const args = ['publish', file, '--endpoint', 'http://courant.invalid/graphql', '--token', TOKEN];
    const { code, stderr } = await home.run(args);
    assert.equal(code, 2);
    assert.match(stderr, /not sent to http:\/\/courant\.invalid.*\n.*COURANT_ALLOW_HTTP=1/);
    const allowed = await home.run(args, { env: { COURANT_ALLOW_HTTP: '1' } });
    assert.equal(allowed.code, 1);
    assert.match(allowed.stderr, /courant\.invalid does not exist|could not be resolved/);
  });
});

describe('an endpoint', () => {
  const isRefused = (url: string) => {
    try {
      refuseClearText(parseEndpoint(url, 'test'), { allowHttp: false });
      return false;
    } catch {
      return true;
    }
  };

  it('may be plain http only on this machine', () => {
    for (const host of ['localhost', 'api.localhost', '127.0.0.1', '127.1', '127.9.9.9', '[::1]', '0x7f.1']) {
      assert.equal(isRefused(`http://${host}:3000/graphql`), false, host);
    }
    for (const host of ['localhost.example.com', '127.0.0.1.example.com', '10.0.0.1', '[::2]', 'mylocalhost']) {
      assert.equal(isRefused(`http://${host}/graphql`), true, host);
      assert.equal(isRefused(`https://${host}/graphql`), false, host);
    }
  });

  it('is an http or https URL without a password', () => {
    for (const url of ['nowhere', 'ftp://example.com/', 'https://user:secret@example.com/graphql', '']) {
      assert.throws(() => parseEndpoint(url, '--endpoint'), { exitCode: 2 });
    }
  });
});

describe('the format of a token', () => {
  it('is courant_ and 48 lower-case hexadecimal digits', () => {
    const digits = fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: 48, maxLength: 48 });
    fc.assert(
      fc.property(digits, (chosen) => {
        const token = `courant_${chosen.join('')}`;
        assert.equal(checkToken(` ${token}\n`, '--token'), token);
        assert.ok(maskToken(token).length < 24);
        if (/[a-f]/.test(token.slice(8))) {
          assert.throws(() => checkToken(`courant_${token.slice(8).toUpperCase()}`, '--token'), /lower-case/);
        }
      }),
      { numRuns: runs(100) },
    );
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const text = `${before}courant_${after}`;
        if (/^\s*courant_[0-9a-f]{48}\s*$/.test(text)) return;
        assert.throws(() => checkToken(text, '--token'), { exitCode: 2 });
        assert.equal(maskToken(text), '(malformed)');
      }),
      { numRuns: runs(100) },
    );
  });
});
