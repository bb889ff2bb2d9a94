/** What `publish` prints: one file, several files, a dry run, and deliveries that are waited for. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { TOKEN } from '../cli-home.ts';
import { assertLines, type GraphqlCall, type InProcessCli, openCli, withSession } from '../in-process.ts';

const CONFIG = { serviceToken: TOKEN, isCi: true };
const published = (changes: object = {}, more: object = {}) => ({
  action: 'created',
  data: { id: 'a1', slug: 'hello', status: 'PUBLISHED', url: 'https://courant.example/hello', ...changes },
  ...more,
});

async function write({ folder }: InProcessCli, name: string, frontmatter: string, body = 'Text.\n'): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `---\n${frontmatter}\n---\n\n${body}`);
  return path;
}

test('one file is reported in sentences that name its destinations', async (t) => {
  const answers: object[] = [];
  const cli = await openCli(t, { '/api/v1/articles': () => answers.shift() as never });
  const file = await write(
    cli,
    'hello.md',
    'title: Hello\ncross_post: { blogsite_a: true, blogsite_b: false, cms_site: true }',
  );
  const publish = async (answer: object, ...flags: string[]) => {
    answers.push(answer);
    const { code, stdout, stderr } = await cli.run(['publish', file, '--endpoint', cli.endpoint, ...flags], {
      config: CONFIG,
    });
    assert.equal(code, 0, stderr);
    return stdout.trimEnd().split('\n');
  };
  assert.deepEqual(await publish(published()), [
    'Created PUBLISHED https://courant.example/hello',
    'Delivering to DEV, WordPress or Ghost (if connected).',
  ]);
  assert.deepEqual(await publish(published({}, { action: 'updated' }), '--no-blogsite_a', '--no-blogsite_b'), [
    'Updated PUBLISHED https://courant.example/hello',
    'Delivering to WordPress or Ghost (if connected).',
  ]);
  assert.deepEqual((await publish(published({ status: 'DRAFT' }), '--draft')).slice(1), [
    'Saved as a draft. Nothing is delivered.',
  ]);
  const scheduled = await publish(published({ status: 'SCHEDULED', scheduledAt: '2090-07-02T06:00:00Z' }));
  assert.match(
    scheduled[1] ?? '',
    /^Goes public at 2 Jul 2090, \d\d:\d\d \S+, then to DEV, WordPress or Ghost \(if connected\)\.$/,
  );
  const bare = await write(cli, 'bare.md', 'title: Bare\ncross_post: { blogsite_a: false, blogsite_b: false }');
  answers.push(published());
  const { stdout } = await cli.run(['publish', bare, '--endpoint', cli.endpoint], { config: CONFIG });
  assertLines(stdout, [
    'Created PUBLISHED https://courant.example/hello',
    'Not delivered: no destination is selected.',
  ]);
  const { authorization, document } = cli.calls[0] as GraphqlCall;
  assert.equal(authorization, `Bearer ${TOKEN}`);
  assert.deepEqual(Object.keys(document ?? {}), ['content', 'fileName', 'source']);
});

test('several files are a table; a refused one does not stop the others, and other failures do', async (t) => {
  const answers: object[] = [];
  const cli = await openCli(t, { '/api/v1/articles': () => answers.shift() as never });
  const files: string[] = [];
  for (const name of ['a.md', 'long-name.md', 'c.md']) files.push(await write(cli, name, `title: ${name}`));
  const run = (...flags: string[]) =>
    cli.run(['publish', ...files, '--endpoint', cli.endpoint, ...flags], { config: CONFIG });
  const refused = {
    status: 422,
    title: 'Invalid',
    errors: [{ path: 'tags', message: 'Too many.', line: 2, column: 1 }],
  };
  answers.push(
    published(),
    refused,
    published({ status: 'DRAFT' }, { action: 'updated', warnings: [{ message: 'Odd.' }] }),
  );
  const partial = await run();
  assert.equal(partial.code, 2);
  assertLines(partial.stdout, [
    '<folder>/a.md          created   PUBLISHED  https://courant.example/hello',
    '<folder>/long-name.md  failed',
    '<folder>/c.md          updated   DRAFT      https://courant.example/hello',
  ]);
  assertLines(partial.stderr, [
    'error: The server returned 422 (Invalid).',
    '  <folder>/long-name.md:2:1: tags: Too many.',
    '     2 | title: long-name.md',
    '       | ^',
    'warning: Odd. (warning)',
    'error: 2 of 3 files were published.',
  ]);
  answers.push(published(), { status: 403, title: 'Forbidden' });
  const stopped = await run();
  assert.equal(stopped.code, 1);
  assertLines(stopped.stdout, [
    '<folder>/a.md          created   PUBLISHED  https://courant.example/hello',
    '<folder>/long-name.md  failed',
    '<folder>/c.md          not sent',
  ]);
  answers.push(published(), { status: 403, title: 'Forbidden' });
  const json = await run('--json');
  assert.deepEqual(
    json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [
      { file: '<folder>/a.md', ...published() },
      {
        file: '<folder>/long-name.md',
        success: false,
        message: 'The server returned 403 (Forbidden).',
        exitCode: 1,
        errors: [],
        hints: [],
        status: 403,
      },
      {
        file: '<folder>/c.md',
        success: false,
        code: 'not_sent',
        message: 'Not sent, because the server rejected an earlier file or did not respond.',
        errors: [],
      },
    ],
  );
});

test('files that cannot be published are all reported, and nothing is sent', async (t) => {
  const cli = await openCli(t);
  const good = await write(cli, 'good.md', 'title: Good');
  const bad = await write(cli, 'bad.md', 'title: Bad\ntags: 7\nscheduled_at: never');
  const same = await write(cli, 'same.md', 'title: good');
  const { code, stdout, stderr } = await cli.run(['publish', good, bad, same, '--json'], { config: CONFIG });
  assert.equal(code, 2);
  const [first, second, ...rest] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual([first.file, second.file, rest], ['<folder>/bad.md', '<folder>/same.md', []]);
  assert.match(first.message, /^<folder>\/bad\.md cannot be published: \d problems?\.$/);
  assert.match(
    second.message,
    /^<folder>\/same\.md is the same article as <folder>\/good\.md: both have the title "good"\.$/,
  );
  assert.deepEqual(second.hints, ['One would overwrite the other. Add a different "id" to the frontmatter of each.']);
  assert.match(stderr, /\nerror: 2 of 3 files cannot be published\. Nothing was sent\.\n$/);
  const single = await cli.run(['publish', good, bad, '--title', 'X', '--cover', 'x'], { config: CONFIG });
  assertLines(single.stderr, ['error: --title, --cover: for one file only, but there are 2.']);
  assert.equal(cli.calls.length, 0);
});

test('two files are one article by their id, slug or canonical URL', async (t) => {
  const cli = await openCli(t);
  for (const [key, value, shown] of [
    ['id', 'x1', 'id "x1"'],
    ['slug', 'one-slug', 'slug "one-slug"'],
    ['canonical_url', 'https://a.io/x', 'canonical URL "'],
  ]) {
    const one = await write(cli, `${key}/one.md`, `title: One\n${key}: ${value}`);
    const two = await write(cli, `${key}/two.md`, `title: Two\n${key}: ${value}`);
    const { stderr } = await cli.run(['publish', one, two, '--dry-run'], { config: CONFIG });
    assert.ok(stderr.includes(`is the same article as <folder>/${key}/one.md: both have the ${shown}`), stderr);
  }
});

test('a dry run prints what would be sent and explains it', async (t) => {
  const cli = await openCli(t);
  const file = await write(
    cli,
    'hello.md',
    'title: Hello\ntags: [a, b]\nauthor: me\nlayout: post\ncover_image: https://a.io/c.png\ncross_post: { blogsite_a: true, blogsite_b: false, blogsite_c: true }',
    'Some {{ text }}.\n',
  );
  const { code, stdout, stderr } = await cli.run(['publish', file, '--dry-run', '--canonical', 'https://a.io/hello']);
  assert.equal(code, 0);
  const payload = JSON.parse(stdout);
  assert.deepEqual(payload.fileName, 'hello.md');
  const lines = stderr.trimEnd().split('\n');
  assert.deepEqual(lines.slice(0, 10), [
    'Dry run: nothing was sent.',
    '  title        Hello',
    '  status       PUBLISHED',
    '  tags         a, b',
    '  canonical    https://a.io/hello',
    '  cover        https://a.io/c.png',
    '  category     none',
    '  series       none',
    '  destinations blogsite_a, blogsite_c',
    'hint: not read: author, layout',
  ]);
  assert.equal(lines.at(-1), '<folder>/hello.md can be published.');
  assert.match(stderr, /^DEV \(blogsite_a\): <folder>\/hello\.md:10: DEV shows this .* \(liquid_as_text\)$/m);
  assert.match(stderr, /^Medium \(blogsite_c\): Medium cannot update posts: later edits do not reach the copy\.$/m);
  const draft = await cli.run(['publish', file, '--dry-run', '--draft', '--json']);
  const preview = JSON.parse(draft.stdout);
  assert.deepEqual(
    { ...preview, payload: null, warnings: null, hints: null },
    {
      ...{
        success: true,
        dryRun: true,
        file: '<folder>/hello.md',
        payload: null,
        warnings: null,
        doubts: [],
        hints: null,
      },
      destinations: [],
      summary: {
        ...{ title: 'Hello', status: 'DRAFT', tags: ['a', 'b'], canonical: 'the address of the article' },
        ...{ cover: 'https://a.io/c.png', category: null, series: null, destinations: [] },
      },
    },
  );
  const shown = await cli.run(['publish', file, '--show', 'blogsite-a']);
  assertLines(shown.stdout, [
    'DEV (blogsite_a)',
    '  title: Hello',
    '  published: true',
    '  tags: a, b',
    '  canonical_url: https://example.com/hello',
    '  description: Hello',
    '  main_image: https://a.io/c.png',
    '  body_markdown:',
    'Some {% raw %}{{ text }}{% endraw %}.',
  ]);
});

test('with --wait, the result has the state of each expected delivery', async (t) => {
  const row = { remoteUrl: null, error: null, errorCode: null, attempts: 1, nextAttemptAt: null, withdrawnAt: null };
  let deliveries: object[] = [];
  let connections = [{ destination: 'blogsite_a' }];
  const answers = {
    '/api/v1/articles': () => published(),
    'connections {': () => ({ data: { connections } }),
    'article(': () => ({ data: { article: { id: 'a1', revision: 1, deliveries } } }),
  };
  const cli = await openCli(t, answers, withSession);
  const file = await write(cli, 'hello.md', 'title: Hello');
  const wait = async (...flags: string[]) => {
    const { code, stdout, stderr } = await cli.run(['publish', file, '--wait', '--wait-timeout', '1', ...flags], {
      config: CONFIG,
    });
    return { code, stdout: stdout.trimEnd().split('\n'), stderr: stderr.trimEnd().split('\n') };
  };
  deliveries = [
    { ...row, destination: 'blogsite_a', state: 'DELIVERED', deliveredRevision: 1, remoteUrl: 'https://dev.to/x' },
    { ...row, destination: 'blogsite_b', state: 'FAILED', deliveredRevision: null },
  ];
  const created = 'Created PUBLISHED https://courant.example/hello';
  const delivered = '  DEV                 delivered   https://dev.to/x';
  assert.deepEqual(await wait(), { code: 0, stdout: [created, delivered], stderr: ['Waiting for deliveries'] });
  const json = await wait('--json');
  const outcome = JSON.parse(json.stdout[0] ?? '');
  assert.deepEqual([outcome.delivered, outcome.deliveries.length, outcome.file], [true, 1, '<folder>/hello.md']);
  connections = [];
  assert.deepEqual((await wait()).stdout, [created, 'Not delivered: none of its destinations is connected.']);
  connections = [{ destination: 'blogsite_a' }, { destination: 'blogsite_b' }];
  const late = await wait();
  assert.deepEqual(late, {
    code: 1,
    stdout: [created, delivered, '  Hashnode            failed'],
    stderr: [
      'Waiting for deliveries',
      'Waiting for 1 delivery',
      'Some deliveries have no outcome yet. They continue on the server: courant status <file>',
      'error: 1 delivery has not succeeded.',
    ],
  });
});

test('a new folder gets an article and a workflow, and existing ones are not overwritten', async (t) => {
  const { run, folder } = await openCli(t);
  const target = join(folder, 'blog');
  const first = await run(['init', target]);
  assertLines(first.stdout, [
    'wrote  <folder>/blog/posts/first-post.md',
    'wrote  <folder>/blog/.github/workflows/publish.yml',
  ]);
  assertLines(first.stderr, [
    'Next: courant publish --dry-run <folder>/blog/posts/first-post.md',
    'For the workflow, add your developer token to the repository as the secret SERVICE_TOKEN.',
    'http://localhost:3000 is this machine. Set the variable COURANT_ENDPOINT of the repository to the public address of your server.',
  ]);
  const again = await run(['init', target], { config: { endpoint: 'https://courant.example/graphql' } });
  assertLines(again.stdout, [
    'exists <folder>/blog/posts/first-post.md, not overwritten',
    'exists <folder>/blog/.github/workflows/publish.yml, not overwritten',
  ]);
  assert.equal(again.stderr.trimEnd().split('\n').length, 2);
});
