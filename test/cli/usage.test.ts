/** Help, usage errors and the start of the command line. */
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CLI_LAUNCHER, type CliHome, createCliHome, runProcess } from './cli-home.ts';

const POSIX = { skip: process.platform === 'win32' && 'the folder is named otherwise there' };

describe('courant', () => {
  let home: CliHome;
  before(async () => {
    home = await createCliHome();
  });
  after(() => home.remove());

  it('lists its commands and exit codes with --help', async () => {
    const { code, stdout } = await home.run(['--help']);
    assert.equal(code, 0);
    for (const command of ['publish', 'status', 'send', 'import', 'login', 'logout', 'whoami', 'init'])
      assert.match(stdout, new RegExp(`^  ${command} `, 'm'));
    assert.match(stdout, /Exit codes:\n {2}0 {2}done\n {2}1 .*\n {2}2 /);
    assert.match(stdout, /SERVICE_TOKEN/);
  });

  it('lists every flag of the specification with publish --help', async () => {
    const { code, stdout } = await home.run(['publish', '--help']);
    assert.equal(code, 0);
    const flags = [
      ...['-d, --dry-run', '--base-url <url>', '--title <title>', '--subtitle <subtitle>', '--tags <tags>'],
      ...['--category <slug>', '--series <seriesId>', '--canonical <url>', '--cover <url>', '--draft', '--toc'],
      ...['--blogsite_a', '--no-blogsite_a', '--blogsite_b', '--no-blogsite_b', '--blogsite_c', '--no-blogsite_c'],
      ...['--social_feed', '--no-social_feed', '--cms_site', '-t, --token <token>', '--endpoint <url>'],
    ];
    for (const flag of flags) assert.ok(stdout.includes(`  ${flag} `), flag);
  });

  it('prints help of at most 80 columns', async () => {
    for (const args of [[], ['publish'], ['send'], ['import'], ['export'], ['login']]) {
      const { stdout } = await home.run([...args, '--help']);
      assert.deepEqual(
        stdout.split('\n').filter((line) => line.length > 80),
        [],
      );
    }
  });

  it('prints its version', async () => {
    const manifest = JSON.parse(await readFile(join(dirname(CLI_LAUNCHER), '../package.json'), 'utf8')) as {
      version: string;
    };
    const { code, stdout } = await home.run(['--version']);
    assert.equal(code, 0);
    assert.equal(stdout, `${manifest.version}\n`);
  });

  it('exits with 2 on wrong usage, with a message on stderr and nothing on stdout', async () => {
    const wrong: [string[], RegExp][] = [
      [['publish'], /missing required argument 'files'/],
      [['login', 'a.md'], /too many arguments/],
      [['publish', 'a.md', '--show', 'mastodon'], /must be one of blogsite_a/],
      [['publish', 'a.md', '--wait-timeout', '0'], /must be a number of seconds/],
      [['publish', 'a.md', '--nothing'], /unknown option '--nothing'/],
      [['publish', 'a.md', '--title'], /argument missing/],
      [['publish', 'a.md', '--title', ' '], /must not be empty/],
      [['publish', 'a.md', '--canonical', 'nowhere'], /must be an absolute http:\/\/ or https:\/\/ URL/],
      [['publish', 'a.md', '--base-url', 'ftp://x.example/'], /must be an absolute/],
      [['publish', 'a.md', '--subtitle', 'é'.repeat(201)], /at most 200 characters; this one has 201/],
      [['frobnicate'], /unknown command 'frobnicate'/],
      [[], /Usage: courant/],
    ];
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = await home.run(args);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, message);
      assert.equal(stdout, '');
    }
  });

  it('accepts a subtitle of 200 characters of any byte length', async () => {
    const file = await home.write('post.md', '---\ntitle: Hello\n---\nText.\n');
    const { code, stderr } = await home.run(['publish', file, '-d', '--subtitle', '🎉'.repeat(200)]);
    assert.equal(code, 0, stderr);
  });

  it('does not fail when its output is closed early', { skip: process.platform === 'win32' && 'no sh' }, async () => {
    const file = await home.write('long.md', `---\ntitle: Hello\n---\n${'Text.\n'.repeat(100_000)}`);
    const command = `"${process.execPath}" "${CLI_LAUNCHER}" publish ${file} -d | head -c 10; echo done`;
    const { stdout, stderr } = await runProcess('sh', ['-c', command], home.folder);
    assert.match(stdout, /done\n$/);
    assert.doesNotMatch(stderr, /EPIPE/);
  });

  it('prints how to build it if it is not built', async () => {
    await cp(dirname(CLI_LAUNCHER), join(home.folder, 'package/bin'), { recursive: true });
    const { code, stderr } = await runProcess(process.execPath, ['package/bin/courant.js', '--help'], home.folder);
    assert.equal(code, 1);
    assert.match(stderr, /npm run build:cli/);
  });

  it('caches the compiled code, and starts without a cache that cannot be written', POSIX, async () => {
    const file = await home.write('post.md', '---\ntitle: Hello\n---\nText.\n');
    const cache = join(home.folder, 'cache');
    const run = (XDG_CACHE_HOME: string) => home.run(['publish', file, '-d'], { env: { XDG_CACHE_HOME } });
    assert.equal((await run(cache)).code, 0);
    const cached = globSync(join(cache, 'courant/cli/*/*'));
    assert.ok(cached.length > 0);
    for (const path of cached) await writeFile(path, 'damaged');
    for (const folder of [cache, '/dev/null', 'not/absolute']) {
      const { code, stderr } = await run(folder);
      assert.equal(code, 0, stderr);
    }
    assert.equal(existsSync(join(home.folder, 'not')), false);
  });
});
