/** The command line on Node.js 20.0.0, and the bundle. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { buildCli, CLI_BUNDLE } from '../../scripts/build-cli.ts';
import { createCliHome, TOKEN } from './cli-home.ts';
import { created, problem, startPublishServer } from './publish/publish-server.ts';

/** Path of a Node.js 20 binary, preferably 20.0.0. */
const node = process.env.NODE20;

describe('the command line on Node.js 20', {
  skip: !node && 'set NODE20 to the path of a Node.js 20.0.0 binary',
}, () => {
  it('publishes, retries, stores credentials and runs a dry run', async () => {
    const home = await createCliHome();
    const server = await startPublishServer();
    try {
      const run = (...args: string[]) => home.run(args, { node: node ?? '' });
      const file = await home.write('post.md', '---\ntitle: Hello\ntags: [a]\n---\n# Text\n\n![i](x.png) <b>b</b>\n');
      const login = await run('login', '--token', TOKEN, '--endpoint', server.endpoint);
      assert.equal(login.code, 0, login.stderr);
      assert.equal((await run('whoami')).code, 0);
      const dry = await run('publish', file, '--dry-run', '--canonical', 'https://blog.example.com/x', '--toc');
      assert.equal(dry.code, 0, dry.stderr);
      assert.doesNotMatch(dry.stderr, /Warning:/);
      server.next(problem(503, {}, { 'retry-after': '0' }), created());
      const published = await run('publish', file, '--draft', '--no-blogsite_a');
      assert.equal(published.code, 0, published.stderr);
      // A warning of Node about an experimental feature would clutter every CI log.
      assert.doesNotMatch(published.stderr, /ExperimentalWarning|DeprecationWarning/);
      assert.equal(server.requests.length, 2);
      assert.equal((await run('logout')).code, 0);
    } finally {
      await server.close();
      await home.remove();
    }
  });
});

/** Functions newer than Node.js 20.0.0 that code of this kind is likely to use, and cli/node20.ts does not add. */
const NEWER = [
  /\b(?:Object|Map)\.groupBy\(/,
  /\bPromise\.(?:withResolvers|try)\b/,
  /\bArray\.fromAsync\(/,
  /\bRegExp\.escape\(/,
  /\bError\.isError\(/,
  /\bIterator\.(?:from|concat|prototype)\b/,
  /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/,
  /\bimport\.meta\.(?:dirname|filename|main)\b/,
  /\b(?:styleText|getCallSites)\(/,
  /\.(?:toBase64|toHex)\(|Uint8Array\.from(?:Base64|Hex)\(/,
];

describe('the bundle', () => {
  it('uses nothing newer than Node.js 20.0.0', async () => {
    await buildCli();
    const lines = (await readFile(CLI_BUNDLE, 'utf8')).split('\n');
    const found = lines.filter((line) => NEWER.some((pattern) => pattern.test(line)));
    assert.deepEqual(found, []);
  });

  it('is smaller than 1.45 MB and contains its licences', async () => {
    const bytes = await buildCli();
    assert.ok(bytes < 1_450_000, `${bytes} bytes`);
    const licences = await readFile(new URL('LICENSES.txt', `file://${CLI_BUNDLE}`), 'utf8');
    for (const name of ['commander', 'yaml', 'yauzl']) assert.match(licences, new RegExp(`^${name} \\d`, 'm'));
  });
});
