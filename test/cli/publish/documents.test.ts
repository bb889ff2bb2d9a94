/** Files that cannot be published, and files at the limits. */
import assert from 'node:assert/strict';
import { chmod, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CliHome, createCliHome, runProcess, TOKEN } from '../cli-home.ts';
import { type PublishServer, startPublishServer } from './publish-server.ts';

const MIB = 1024 * 1024;

describe('a file that cannot be published', () => {
  let home: CliHome;
  let server: PublishServer;

  before(async () => {
    home = await createCliHome();
    server = await startPublishServer();
  });
  after(async () => {
    assert.equal(server.connections(), 0, 'nothing was sent');
    await server.close();
    await home.remove();
  });

  async function refuse(path: string, message: RegExp): Promise<void> {
    const args = ['publish', path, '--endpoint', server.endpoint, '--token', TOKEN];
    const { code, stdout, stderr } = await home.run(args);
    assert.match(stderr, message);
    assert.equal(code, 2);
    assert.equal(stdout, '');
  }

  it('because it does not exist', () => refuse('missing.md', /There is no such file: missing\.md/));

  it('because it is a folder without Markdown', async () => {
    await mkdir(join(home.folder, 'posts', 'node_modules'), { recursive: true });
    await home.write('posts/picture.png', 'no text');
    await home.write('posts/node_modules/readme.md', '# A package');
    await refuse('posts', /This folder contains no Markdown: posts/);
    await refuse('posts/*.md', /No file matches this pattern: posts\/\*\.md/);
  });

  it('because it is binary', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    await refuse(await home.write('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'), /logo\.svg is a picture\./);
    await refuse(await home.write('picture.md', png), /picture\.md is a picture\. Pictures cannot be uploaded yet\./);
    await refuse(await home.write('latin.md', Buffer.from('caf\xe9 cr\xe8me', 'latin1')), /latin\.md.*not valid UTF-8/);
    await refuse(await home.write('nul.md', Buffer.alloc(64)), /nul\.md is not text: it contains NUL/);
  });

  it('because it has 100 MB (only its beginning is read)', async () => {
    const path = join(home.folder, 'huge.md');
    const file = await open(path, 'w');
    await file.truncate(100 * MIB);
    await file.close();
    await refuse(path, /too large: .*huge\.md/);
  });

  it('because it is not readable', { skip: process.getuid?.() === 0 && 'the superuser reads everything' }, async () => {
    const path = await home.write('secret.md', 'Text.');
    await chmod(path, 0o000);
    await refuse(path, /You have no permission to read this file/);
  });

  it('because it is empty', async () => {
    await refuse(await home.write('empty.md', ''), /The file is empty/);
    await refuse(await home.write('blank.md', '\ufeff \n\n'), /The file is empty/);
  });

  it('because it is not text', async () => {
    await refuse(
      await home.write('latin.md', Buffer.from('title: Gr\xf6\xdfe\n', 'latin1')),
      /not valid UTF-8.*line 1/,
    );
  });

  it('because it is larger than 1 MiB by one byte', async () => {
    const head = '---\ntitle: T\n---\n';
    const path = await home.write('large.md', head + 'a'.repeat(MIB - head.length + 1));
    await refuse(path, /too large: .*large\.md has 1048577 bytes; the limit is 1048576/);
  });

  it('because it is endless', { skip: process.platform === 'win32' && 'there is no /dev/zero' }, () =>
    refuse('/dev/zero', /too large/),
  );

  it('because its frontmatter is invalid', async () => {
    await refuse(await home.write('bad.md', '---\ntitle: T\ndraft: perhaps\n---\nText.\n'), /bad\.md:3:\d+: /);
  });
});

describe('a file at the limit', () => {
  it('is sent if it has exactly 1 MiB', async () => {
    const home = await createCliHome();
    const server = await startPublishServer();
    try {
      const head = '---\ntitle: T\n---\n';
      const path = await home.write('full.md', head + 'word '.repeat(MIB).slice(0, MIB - head.length));
      const { code, stderr } = await home.run(['publish', path, '--endpoint', server.endpoint, '-t', TOKEN]);
      assert.equal(code, 0, stderr);
      assert.equal(String(server.requests[0]?.body.content).length, MIB);
    } finally {
      await server.close();
      await home.remove();
    }
  });

  it('may be a pipe', { skip: process.platform === 'win32' && 'no /dev/stdin' }, async () => {
    const home = await createCliHome();
    try {
      const { CLI_LAUNCHER } = await import('../cli-home.ts');
      const command = `cat | "${process.execPath}" "${CLI_LAUNCHER}" publish /dev/stdin -d --title Piped`;
      const result = await runProcess('sh', ['-c', command], home.folder, { input: 'Text from a pipe.\n' });
      assert.equal(result.code, 0, result.stderr);
      assert.match(result.stdout, /Text from a pipe/);
    } finally {
      await home.remove();
    }
  });
});
