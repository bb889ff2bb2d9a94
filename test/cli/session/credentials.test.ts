/** Stored credentials: permissions, damage, a full disk, and the commands that use them. */
import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { CAN_MOUNT, CLI_LAUNCHER, type CliHome, createCliHome, runProcess, TOKEN } from '../cli-home.ts';

const OTHER = `courant_${'f'.repeat(48)}`;
const POSIX = { skip: process.platform === 'win32' && 'Windows has no such modes' };

describe('stored credentials', () => {
  let home: CliHome;
  let path: string;

  beforeEach(async () => {
    home = await createCliHome();
    path = join(home.configFolder, 'credentials.json');
  });
  afterEach(() => home.remove());

  const readStored = async () => JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  const readMode = async (target: string) => ((await stat(target)).mode & 0o777).toString(8);

  it('are written by login --token to a file that only its owner may read', POSIX, async () => {
    // A lax umask must not matter.
    const command = `umask 000; exec "${process.execPath}" "${CLI_LAUNCHER}" login --token ${TOKEN}`;
    const { code, stdout, stderr } = await runProcess('sh', ['-c', command], home.folder);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Stored the developer token courant_0123…cdef/);
    assert.match(stderr, /The first publish shows whether the server accepts it/);
    assert.equal(await readMode(path), '600');
    assert.equal(await readMode(home.configFolder), '700');
    assert.deepEqual(await readStored(), { origins: {}, developerToken: TOKEN });
    assert.deepEqual(await readdir(home.configFolder), ['credentials.json']);
  });

  it('get mode 0600 again if the old file was readable by others', POSIX, async () => {
    await mkdir(home.configFolder);
    await writeFile(path, JSON.stringify({ developerToken: OTHER }));
    await chmod(path, 0o644);
    assert.match((await home.run(['whoami'])).stderr, /warning: other users can read the file/);
    await home.run(['login', '--token', TOKEN]);
    assert.equal(await readMode(path), '600');
  });

  it('are read from stdin with --token -', async () => {
    const { code } = await home.run(['login', '--token', '-'], { input: `${TOKEN}\n` });
    assert.equal(code, 0);
    assert.equal((await readStored()).developerToken, TOKEN);
    assert.equal((await home.run(['login', '--token', '-'], { input: '' })).code, 2);
    assert.equal((await home.run(['login', '--token', '-'], { input: 'x'.repeat(100_000) })).code, 2);
    assert.equal((await readStored()).developerToken, TOKEN);
  });

  it('are not changed by a malformed token', async () => {
    await home.run(['login', '--token', TOKEN]);
    const { code, stderr } = await home.run(['login', '--token', 'courant_xyz']);
    assert.equal(code, 2);
    assert.match(stderr, /not a developer token/);
    assert.equal((await readStored()).developerToken, TOKEN);
  });

  it('stay intact after a write to a full disk (F22)', {
    skip: !CAN_MOUNT && 'needs a small file system of its own',
  }, async () => {
    const run = `"${process.execPath}" "${CLI_LAUNCHER}" login --token`;
    const steps = [
      'mkdir config && mount -t tmpfs -o size=16k,mode=0700 tmpfs config',
      `${run} ${TOKEN} >/dev/null 2>&1`,
      'cat /dev/zero > config/filler 2>/dev/null',
      `${run} ${OTHER}; echo "exit $?"; ls config; cat config/credentials.json`,
    ];
    const { stdout, stderr } = await runProcess('unshare', ['-rm', 'sh', '-c', steps.join('\n')], home.folder);
    assert.match(stderr, /could not be stored \(ENOSPC\).*\n.*stored before are unchanged/);
    const [code, ...rest] = stdout.split('\n');
    assert.equal(code, 'exit 1');
    assert.deepEqual(rest.slice(0, 2), ['credentials.json', 'filler']);
    assert.deepEqual(JSON.parse(rest.slice(2).join('\n')), { origins: {}, developerToken: TOKEN });
  });

  it('include the endpoint for later commands', async () => {
    await home.run(['login', '--token', TOKEN, '--endpoint', 'https://courant.example/graphql']);
    assert.match((await home.run(['whoami'])).stdout, /Endpoint +https:\/\/courant\.example\/graphql \(stored\)/);
    await home.run(['login', '--token', OTHER]);
    assert.deepEqual(await readStored(), {
      endpoint: 'https://courant.example/graphql',
      origins: { 'https://courant.example': { developerToken: OTHER } },
    });
    const { stdout } = await home.run(['whoami'], { env: { COURANT_ENDPOINT: 'https://other.example/graphql' } });
    assert.match(stdout, /Endpoint +https:\/\/other\.example\/graphql \(COURANT_ENDPOINT\)/);
  });

  it('are shown masked by whoami, with the token that a publish would use', async () => {
    await home.run(['login', '--token', TOKEN]);
    const { code, stdout } = await home.run(['whoami']);
    assert.equal(code, 0);
    assert.match(stdout, /Stored token +courant_0123…cdef/);
    assert.match(stdout, /Session +none/);
    assert.match(stdout, /Publishes with +courant_0123…cdef \(stored\)/);
    assert.match(stdout, /Endpoint +http:\/\/localhost:3000\/graphql \(default\)/);
    assert.ok(stdout.includes(path));
    const other = await home.run(['whoami'], { env: { SERVICE_TOKEN: OTHER } });
    assert.match(other.stdout, /Publishes with +courant_ffff…ffff \(SERVICE_TOKEN\)/);
  });

  it('are missing: whoami reports it and exits with 1', async () => {
    const { code, stdout, stderr } = await home.run(['whoami']);
    assert.equal(code, 1);
    assert.match(stdout, /Stored token +none/);
    assert.match(stderr, /error: Not logged in/);
  });

  it('are removed by logout, which reports whether there were any', async () => {
    await home.run(['login', '--token', TOKEN]);
    const first = await home.run(['logout']);
    assert.equal(first.code, 0);
    assert.match(first.stdout, /Removed the stored credentials/);
    assert.deepEqual(await readdir(home.configFolder), []);
    const second = await home.run(['logout']);
    assert.equal(second.code, 0);
    assert.match(second.stdout, /No credentials were stored/);
  });

  it('are damaged: commands report it, and logout removes them', async () => {
    await mkdir(home.configFolder);
    await writeFile(path, '{"developerToken": "cour');
    const { code, stderr } = await home.run(['whoami']);
    assert.equal(code, 1);
    assert.match(stderr, /are damaged: .*credentials\.json\n.*courant logout/);
    assert.equal((await home.run(['logout'])).code, 0);
    assert.equal((await home.run(['login', '--token', TOKEN])).code, 0);
  });

  it('are in the configuration folder of the platform', POSIX, async () => {
    if (process.platform !== 'linux') return;
    const env = { COURANT_CONFIG_DIR: '', XDG_CONFIG_HOME: join(home.folder, 'xdg') };
    const { stdout } = await home.run(['login', '--token', TOKEN], { env });
    assert.ok(stdout.includes(join(home.folder, 'xdg/courant/credentials.json')), stdout);
    assert.equal(await readMode(join(home.folder, 'xdg/courant')), '700');
  });
});
