/** `courant publish --dry-run`: its output and the problems that it reports. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import { findDescriptor } from '../../../destinations/registry.ts';
import { type CliHome, createCliHome } from '../cli-home.ts';
import { type PublishServer, startPublishServer } from './publish-server.ts';

describe('courant publish --dry-run', () => {
  let home: CliHome;
  let server: PublishServer;

  before(async () => {
    home = await createCliHome();
    server = await startPublishServer();
  });
  after(async () => {
    await server.close();
    await home.remove();
  });

  const dryRun = (file: string, ...flags: string[]) =>
    home.run(['publish', file, '--endpoint', server.endpoint, '-d', ...flags]);

  it('prints the exact payload on stdout, without a token or a connection', async () => {
    const content = '---\ntitle: Hello\ntags: [a, b]\n---\nText with “quotes”, \\ and \u0085.\n';
    const { code, stdout, stderr } = await dryRun(await home.write('post.md', content));
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), { content, fileName: 'post.md', source: { path: 'post.md' } });
    assert.equal(server.connections(), 0);
  });

  it('explains the document on stderr', async () => {
    const file = await home.write('post.md', '---\ntitle: Hello\ntags: [a, b]\n---\nText.\n');
    const { stderr } = await dryRun(file, '--canonical', 'https://blog.example.com/x', '--no-blogsite_b');
    assert.match(stderr, /Dry run: nothing was sent/);
    assert.match(stderr, /title +Hello/);
    assert.match(stderr, /status +PUBLISHED/);
    assert.match(stderr, /tags +a, b/);
    assert.match(stderr, /canonical +https:\/\/blog\.example\.com\/x/);
    assert.match(stderr, /destinations +blogsite_a$/m);
    assert.match(stderr, /can be published/);
  });

  it('reports every problem with file, line and column, and exits with 2', async () => {
    const file = await home.write(
      'bad.md',
      '---\ntitle: [not, text]\ncanonical_url: nowhere\ndraft: perhaps\n---\nText.\n',
    );
    const { code, stdout, stderr } = await dryRun(file);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /bad\.md:2:\d+: .*title/);
    assert.match(stderr, /bad\.md:3:\d+: .*canonical_url/);
    assert.match(stderr, /bad\.md:4:\d+: .*draft/);
  });

  it('reports invalid YAML with its line', async () => {
    const { code, stderr } = await dryRun(await home.write('yaml.md', '---\ntitle: Hello\ntags: [a, b\n---\nText.\n'));
    assert.equal(code, 2);
    assert.match(stderr, /yaml\.md:\d+(?::\d+)?: /);
  });

  it('rejects frontmatter in a programming language (A1)', async () => {
    const marker = await home.write('marker.txt', 'untouched');
    const code = `---js\n{ title: require('fs').writeFileSync(${JSON.stringify(marker)}, 'run') }\n---\nText.\n`;
    const result = await dryRun(await home.write('code.md', code));
    assert.equal(result.code, 2);
    const { readFile } = await import('node:fs/promises');
    assert.equal(await readFile(marker, 'utf8'), 'untouched');
  });

  it('reports lines of the file even if flags shift them', async () => {
    const lines = ['---', 'tags: [a]', 'draft: perhaps', '---', 'Text.', ''];
    const { stderr } = await dryRun(await home.write('moved.md', lines.join('\n')), '--title', 'New', '--toc');
    assert.match(stderr, /moved\.md:3:\d+: /);
  });

  it('accepts a flag that corrects a problem of the file', async () => {
    const file = await home.write('mended.md', '---\ntitle: T\ncanonical_url: nowhere\n---\nText.\n');
    assert.equal((await dryRun(file, '--canonical', 'https://blog.example.com/x')).code, 0);
  });

  it('prints the warnings of the server', async () => {
    const file = await home.write('warn.md', '---\ntitle: T\ncross_post: { mastodon: true }\n---\nText.\n');
    const { code, stderr } = await dryRun(file);
    assert.equal(code, 0);
    assert.match(stderr, /warning: .*warn\.md:3:\d+: .*mastodon.*\(destination_not_accepted\)/);
  });

  it('reports losses and rejections of enabled destinations', async () => {
    const file = await home.write('many.md', '---\ntitle: T\ntags: [a, b, c, d, e, f, g]\n---\nText.\n');
    assert.match((await dryRun(file)).stderr, /^DEV \(blogsite_a\): .*The tag “e” is not sent.*\(tag_dropped\)$/m);
    assert.doesNotMatch((await dryRun(file, '--no-blogsite_a')).stderr, /^blogsite_a.*/m);
    assert.doesNotMatch((await dryRun(file, '--draft')).stderr, /^blogsite_a.*/m);
    const long = await home.write('long.md', `---\ntitle: T\n---\n${'A sentence of the body. '.repeat(4_500)}\n`);
    const { code, stderr } = await dryRun(long);
    assert.equal(code, 0);
    assert.match(stderr, /^Hashnode \(blogsite_b\) would refuse this: .*100 KB.*\(body_too_large\)$/m);
  });

  it('reports losses with lines of the file even if flags shift them', async () => {
    const file = await home.write('liquid.md', '---\ntitle: T\n---\n\nText.\n\nA {{ variable }}.\n');
    const bare = await home.write('bare.md', '# A heading\n\nA {{ variable }}.\n');
    for (const flags of [[], ['--toc', '--tags', 'a,b', '--subtitle', 'S']]) {
      assert.match((await dryRun(file, ...flags)).stderr, /liquid\.md:7: .*\(liquid_as_text\)/);
      assert.match((await dryRun(bare, ...flags)).stderr, /bare\.md:3: .*\(liquid_as_text\)/);
    }
  });

  it('reports every platform of a destination', async () => {
    const file = await home.write('cms.md', '---\ntitle: T\ncross_post: { blogsite_c: true }\n---\nText.\n');
    const { stdout } = await dryRun(file, '--cms_site', '--json');
    const { destinations } = JSON.parse(stdout) as { destinations: { destination: string; platform: string }[] };
    const known = (key: 'blogsite_c' | 'cms_site') =>
      PLATFORMS_BY_KEY[key].filter((name) => findDescriptor(name) !== null);
    for (const key of ['blogsite_c', 'cms_site'] as const) {
      const named = destinations.filter(({ destination }) => destination === key).map(({ platform }) => platform);
      assert.deepEqual(named, known(key));
    }
  });

  it('reports what cannot be changed or withdrawn', async () => {
    const file = await home.write('post.md', '---\ntitle: T\n---\nText.\n');
    const { stderr } = await dryRun(file);
    assert.match((await dryRun(file, '--blogsite_c')).stderr, /^Medium \(blogsite_c\): Medium cannot update posts/m);
    assert.match(stderr, /^Hashnode \(blogsite_b\): Hashnode only hides a withdrawn post/m);
    assert.doesNotMatch(stderr, /^blogsite_a/m);
  });

  it('includes destination and platform in JSON', async () => {
    const file = await home.write('post.md', '---\ntitle: T\ntags: [a, b, c, d, e]\n---\nText.\n');
    const { destinations } = JSON.parse((await dryRun(file, '--json')).stdout) as {
      destinations: { destination: string; platform: string; refusal: unknown; losses: { code: string }[] }[];
    };
    assert.deepEqual(
      destinations.map(({ destination, platform, refusal, losses }) => [
        destination,
        platform,
        refusal,
        losses.map(({ code }) => code),
      ]),
      [
        ['blogsite_a', 'forem', null, ['tag_dropped']],
        ['blogsite_b', 'hashnode', null, []],
      ],
    );
  });

  it('prints one JSON object with --json, for valid and invalid documents', async () => {
    const good = await dryRun(await home.write('post.md', '---\ntitle: Hello\n---\nText.\n'), '--json');
    const answer = JSON.parse(good.stdout) as { success: boolean; dryRun: boolean; payload: { content: string } };
    assert.equal(answer.success && answer.dryRun, true);
    assert.match(answer.payload.content, /title: Hello/);
    const bad = await dryRun(await home.write('bad.md', '---\ndraft: perhaps\n---\nText.\n'), '--json');
    assert.equal(bad.code, 2);
    const failure = JSON.parse(bad.stdout) as { success: boolean; errors: { path: string; line: number }[] };
    assert.equal(failure.success, false);
    assert.deepEqual(
      failure.errors.map(({ path, line }) => ({ path, line })),
      [{ path: 'draft', line: 2 }],
    );
  });

  it('does not read credentials', async () => {
    const other = await createCliHome();
    try {
      await other.write('config', 'a file where the folder should be');
      const file = await other.write('post.md', '---\ntitle: Hello\n---\nText.\n');
      const { code } = await other.run(['publish', file, '--dry-run'], { env: { SERVICE_TOKEN: 'nonsense' } });
      assert.equal(code, 0);
    } finally {
      await other.remove();
    }
  });
});
