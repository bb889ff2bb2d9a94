/** The source of a published file: repository and path. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { listRemotes } from '../../../cli/source/git-folder.ts';
import { CAN_MOUNT, CLI_LAUNCHER, runProcess, TOKEN } from '../cli-home.ts';
import { setUpPublish } from './publish-server.ts';

const TEXT = '---\ntitle: Hello\n---\nText.\n';

interface Sent {
  fileName: string;
  source: { repository?: string; path: string };
}

describe('the source that courant publish sends', () => {
  const cli = setUpPublish();
  let folder: string;
  let count = 0;
  beforeEach(async () => {
    count += 1;
    folder = join(cli.home.folder, `case-${count}`);
    await mkdir(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(name: string, content = TEXT): Promise<string> {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  const git = (at: string, ...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', '-c', 'protocol.file.allow=always', ...args],
      {
        cwd: join(folder, at),
        env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
        stdio: 'pipe',
      },
    );

  /** Publishes and returns the sent body. */
  async function publish(file: string, options: { env?: Record<string, string>; flags?: string[] } = {}) {
    const { env = {}, flags = [] } = options;
    const args = ['publish', file, '--endpoint', cli.server.endpoint, '--token', TOKEN, ...flags];
    const result = await cli.home.run(args, { env });
    assert.equal(result.code, 0, result.stderr);
    const sent = (cli.server.requests.at(-1)?.body ?? {}) as unknown as Sent;
    return { ...sent, stderr: result.stderr, stdout: result.stdout };
  }

  const isThere = (name: string) =>
    stat(join(folder, name)).then(
      () => true,
      () => false,
    );

  it('is the path in the Git work tree and the remote without credentials, without courant.json', async () => {
    git('.', 'init', '--quiet');
    git('.', 'remote', 'add', 'upstream', 'https://github.com/other/r.git');
    git('.', 'remote', 'add', 'origin', 'https://ann:secret-token@GitHub.com:443/Ann/blog.git/');
    const file = await write('posts/e\u0301te\u0301/a.md');
    const sent = await publish(file);
    assert.deepEqual(sent.source, { repository: 'github.com/Ann/blog', path: 'posts/été/a.md' });
    assert.doesNotMatch(JSON.stringify(cli.server.requests.at(-1)?.body), /secret-token/);
    assert.equal(await isThere('courant.json'), false);
    const preview = JSON.parse((await publish(file, { flags: ['--dry-run'] })).stdout) as { source: object };
    assert.deepEqual(preview.source, sent.source);
  });

  it('is the first remote if none is named origin', async () => {
    git('.', 'init', '--quiet');
    git('.', 'remote', 'add', 'fork', 'git@codeberg.org:ann/blog.git');
    git('.', 'remote', 'add', 'later', 'git@codeberg.org:ann/other.git');
    assert.equal((await publish(await write('a.md'))).source.repository, 'codeberg.org/ann/blog');
  });

  it('is the same in a worktree, and the other repository in a submodule', async () => {
    await mkdir(join(folder, 'theme'));
    await write('theme/README.md');
    git('theme', 'init', '--quiet');
    git('theme', 'add', '.');
    git('theme', 'commit', '--quiet', '--message=Theme');
    await mkdir(join(folder, 'blog'));
    git('blog', 'init', '--quiet');
    git('blog', 'remote', 'add', 'origin', 'git@github.com:ann/blog.git');
    await write('blog/posts/a.md');
    git('blog', 'submodule', '--quiet', 'add', join(folder, 'theme'), 'theme');
    git('blog/theme', 'remote', 'set-url', 'origin', 'https://github.com/ann/theme');
    git('blog', 'add', '.');
    git('blog', 'commit', '--quiet', '--message=Post');
    git('blog', 'worktree', 'add', '--quiet', '../tree');
    const source = { repository: 'github.com/ann/blog', path: 'posts/a.md' };
    assert.deepEqual((await publish(join(folder, 'blog/posts/a.md'))).source, source);
    assert.deepEqual((await publish(join(folder, 'tree/posts/a.md'))).source, source);
    const theme = { repository: 'github.com/ann/theme', path: 'README.md' };
    assert.deepEqual((await publish(join(folder, 'blog/theme/README.md'))).source, theme);
  });

  it('uses the id in courant.json without a remote; the first publish creates it, a dry run does not', async () => {
    await mkdir(join(folder, '.git'));
    git('.', 'init', '--quiet');
    git('.', 'remote', 'add', 'origin', '/srv/git/blog.git');
    const file = await write('posts/a.md');
    const preview = JSON.parse((await publish(file, { flags: ['--dry-run'] })).stdout) as { source: object };
    assert.deepEqual(preview.source, { path: 'posts/a.md' });
    assert.equal(await isThere('courant.json'), false);
    const first = await publish(file);
    assert.match(first.stderr, /^Wrote .*courant\.json, which identifies the articles of this folder/m);
    const { id } = JSON.parse(await readFile(join(folder, 'courant.json'), 'utf8')) as { id: string };
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(first.source, { repository: id, path: 'posts/a.md' });
    const second = await publish(file);
    assert.deepEqual([second.source, second.stderr], [first.source, '']);
  });

  it('keeps the other settings of the nearest courant.json', async () => {
    await write('courant.json', '{ "pictures": "upload" }');
    await chmod(join(folder, 'courant.json'), 0o640);
    const file = await write('posts/deep/a.md');
    const { source } = await publish(file);
    assert.deepEqual(JSON.parse(await readFile(join(folder, 'courant.json'), 'utf8')), {
      pictures: 'upload',
      id: source.repository,
    });
    assert.equal(source.path, 'posts/deep/a.md');
    assert.equal((await stat(join(folder, 'courant.json'))).mode & 0o777, 0o640);
  });

  it('is rejected if courant.json contains no valid settings', async () => {
    const file = await write('a.md');
    for (const text of ['{', '[]', '{"id": 7}', '{"id": ""}']) {
      await write('courant.json', text);
      const { code, stderr } = await cli.home.run(['publish', '--dry-run', file]);
      assert.equal(code, 2, text);
      assert.match(stderr, /courant\.json/);
    }
  });

  it('is only the path in CI', async () => {
    const file = await write('a.md');
    assert.deepEqual((await publish(file, { env: { CI: 'true' } })).source, { path: `${basename(folder)}/a.md` });
  });

  it('is only the path, with a warning, if courant.json cannot be written', {
    skip: !CAN_MOUNT && 'needs a mount',
  }, async () => {
    const courant = `"${process.execPath}" "${CLI_LAUNCHER}" publish a.md --endpoint ${cli.server.endpoint} --token ${TOKEN}`;
    const steps = [
      'mkdir fixed && mount -t tmpfs tmpfs fixed && cd fixed',
      `printf '%s' '${TEXT}' > a.md && mount -o remount,ro tmpfs .`,
      courant,
    ];
    const { code, stderr } = await runProcess('unshare', ['-rm', 'sh', '-c', steps.join('\n')], folder);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /courant\.json cannot be written \(EROFS\)\. .*matched by path alone/);
    assert.deepEqual(cli.server.requests.at(-1)?.body.source, { path: 'a.md' });
  });

  it('outside the working directory starts at the folder of the file', async () => {
    const file = await write('elsewhere/a.md');
    await mkdir(join(folder, 'here'));
    const args = ['publish', file, '--endpoint', cli.server.endpoint, '--token', TOKEN];
    const { code, stderr } = await cli.home.run(args, { cwd: join(folder, 'here') });
    assert.equal(code, 0, stderr);
    assert.match(JSON.stringify(cli.server.requests.at(-1)?.body.source), /"path":"a\.md"/);
    assert.equal(await isThere('elsewhere/courant.json'), true);
  });

  it('is the same through symbolic links, and absent for a pipe', async () => {
    const file = await write('real/a.md');
    await symlink('real', join(folder, 'linked'));
    const named = await publish(file);
    assert.deepEqual((await publish(join(folder, 'linked/a.md'))).source, named.source);
    const courant = `"${process.execPath}" "${CLI_LAUNCHER}" publish /dev/stdin`;
    const pipe = `cat "${file}" | ${courant} --endpoint ${cli.server.endpoint} --token ${TOKEN}`;
    const piped = await runProcess('sh', ['-c', pipe], folder);
    assert.equal(piped.code, 0, piped.stderr);
    assert.equal(cli.server.requests.at(-1)?.body.source, undefined);
  });

  it('includes the folder in the file name of a README at the root, because the folder is the title', async () => {
    git('.', 'init', '--quiet');
    git('.', 'remote', 'add', 'origin', 'git@github.com:ann/blog.git');
    const { fileName, source, stdout } = await publish(await write('README.md', 'Text.\n'), { flags: ['--json'] });
    assert.deepEqual([fileName, source.path], ['blog/README.md', 'README.md']);
    assert.match(stdout, /"success":true/);
    assert.equal((await publish(await write('docs/README.md', 'Text.\n'))).fileName, 'README.md');
  });
});

describe('the settings of a repository', () => {
  it('are read as git writes them', () => {
    const config = [
      '[core]\n\turl = https://no.example/',
      '[Remote "a"]\n\tURL = "https://host.example/a;b"',
      '[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\turl = git@host.example:o/r.git',
      '\turl = https://second.example/',
      '[branch "main"]\n\tremote = origin\n\turl = https://branch.example/',
    ].join('\n');
    assert.deepEqual(listRemotes(config), [
      { name: 'a', url: 'https://host.example/a;b' },
      { name: 'origin', url: 'git@host.example:o/r.git' },
    ]);
  });
});
