/** Publishing several files; `init`; excerpts. */
import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createReporter } from '../../../cli/commands/publish/results.ts';
import type { PreparedDocument } from '../../../cli/document/prepare-document.ts';
import { createTerminal } from '../../../cli/terminal/output.ts';
import { showExcerpt } from '../../../cli/terminal/report.ts';
import { CAN_MOUNT, CLI_LAUNCHER, runProcess, TOKEN } from '../cli-home.ts';
import { type AnswerRequest, created, plain, problem, setUpPublish } from './publish-server.ts';

const NO_MOUNT = 'needs a small file system of its own';

describe('courant publish of several files', () => {
  const cli = setUpPublish();
  let folder: string;
  beforeEach(async () => {
    folder = join(cli.home.folder, 'posts');
    await mkdir(join(folder, 'deep'), { recursive: true });
    for (const name of ['a', 'b10', 'b9', 'deep/c'])
      await writeFile(join(folder, `${name}.md`), `---\ntitle: ${name}\n---\nText.\n`);
  });
  afterEach(() => writeFile(join(folder, 'a.md'), 'Text.\n'));

  const publish = (...args: string[]) =>
    cli.home.run(['publish', ...args, '--endpoint', cli.server.endpoint, '--token', TOKEN]);
  const sent = () => cli.server.requests.map(({ body }) => body.fileName);

  it('accepts folders, patterns and files, publishes each file once, and prints a table', async () => {
    const { code, stdout, stderr } = await publish('posts/b9.md', 'posts', 'posts/**/*.md');
    assert.equal(code, 0, stderr);
    assert.deepEqual(sent(), ['b9.md', 'a.md', 'b10.md', 'c.md']);
    assert.match(stdout, /^posts\/b9\.md {6}created {3}PUBLISHED {2}https:\/\/courant\.example\/hello$/m);
    assert.equal(new Set(cli.server.requests.map(({ headers }) => headers['idempotency-key'])).size, 4);
  });

  it('sends nothing if one file cannot be published, and reports every problem with its line', async () => {
    await writeFile(join(folder, 'a.md'), '---\ndraft: perhaps\n---\nText.\n');
    const { code, stdout, stderr } = await publish('posts', '--json');
    assert.equal(code, 2);
    assert.deepEqual(sent(), []);
    assert.match(stderr, /a\.md:2:8: .*\n {5}2 \| draft: perhaps\n {7}\| {8}\^\n/);
    assert.match(stderr, /1 of 4 files cannot be published\. Nothing was sent\./);
    assert.equal((JSON.parse(stdout) as { file: string }).file, 'posts/a.md');
  });

  it('waits for the next window once the rate limit is used up', async () => {
    const limited =
      (remaining: string, reset: string): AnswerRequest =>
      (response, request) => {
        response.setHeader('ratelimit-remaining', remaining).setHeader('ratelimit-reset', reset);
        created()(response, request);
      };
    cli.server.next(limited('0', '1'), limited('5', '60'));
    const { code, stderr } = await publish('posts/a.md', 'posts/b9.md', 'posts/b10.md');
    assert.equal(code, 0, stderr);
    assert.deepEqual(stderr.match(/Continuing in/g)?.length, 1);
    assert.match(stderr, /1 of 3 are published; the rate limit is reached\. Continuing in 1 s\./);
  });

  it('continues after a rejected document, and stops if the server rejects all requests', async () => {
    cli.server.next(problem(422, { title: 'Not valid' }), created(), problem(401, { title: 'Unauthorized' }));
    const { code, stdout, stderr } = await publish('posts', '--json');
    assert.equal(code, 1);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { success: boolean; status?: number; code?: string });
    assert.deepEqual(
      lines.map(({ success, status, code: why }) => [success, status ?? why ?? null]),
      [
        [false, 422],
        [true, null],
        [false, 401],
        [false, 'not_sent'],
      ],
    );
    assert.match(stderr, /1 of 4 files were published\./);
  });

  it('publishes a linked file once, and follows only links that are named', async () => {
    const linked = join(cli.home.folder, 'linked');
    await mkdir(linked);
    await writeFile(join(linked, 'ONE.MD'), 'Text.\n');
    await symlink('ONE.MD', join(linked, 'two.md'));
    await symlink('.', join(linked, 'loop'));
    await symlink(folder, join(linked, 'elsewhere'));
    const { code, stderr } = await publish('linked', 'linked/two.md', 'linked/*.MD');
    assert.equal(code, 0, stderr);
    assert.equal(sent().length, 1);
  });

  it('rejects two files that are the same article, and names both', async () => {
    const write = (name: string, frontmatter: string) => cli.home.write(name, `---\n${frontmatter}\n---\nText.\n`);
    await write('one.md', 'title: The  same');
    await write('two.md', 'title: the same');
    await write('three.md', 'title: The same\nid: three');
    const { code, stderr } = await publish('one.md', 'two.md', 'three.md');
    assert.equal(code, 2);
    assert.match(stderr, /two\.md is the same article as one\.md: both have the title "the same"/);
    assert.match(stderr, /1 of 3 files cannot be published\. Nothing was sent\./);
    assert.deepEqual(sent(), []);
  });

  it('prints a table of 4,000 files in linear time', () => {
    const jobs = Array.from({ length: 4_000 }, (_, n) => ({ file: `posts/${n}.md` }) as PreparedDocument);
    const lines: string[] = [];
    const terminal = createTerminal({ write: (line) => lines.push(line) }, { write: () => undefined }, false);
    const reporter = createReporter(jobs, {}, terminal);
    const begun = performance.now();
    for (const job of jobs) reporter.notSent(job);
    assert.ok(performance.now() - begun < 15_000);
    assert.equal(lines.at(-1), 'posts/3999.md  not sent\n');
  });

  it('stops if a proxy responds with a page', async () => {
    cli.server.next(plain(200, '<html>Sign in to the network</html>', { 'content-type': 'text/html' }));
    const { code, stdout, stderr } = await publish('posts');
    assert.equal(code, 1);
    assert.match(stderr, /returned 200 \(text\/html\), which is not a response of a Courant server/);
    assert.match(stdout, /not sent/);
    assert.equal(sent().length, 1);
  });

  it('rejects flags of a single article, and --wait without a session', async () => {
    const titled = await publish('posts', '--title', 'One');
    assert.equal(titled.code, 2);
    assert.match(titled.stderr, /--title: for one file only, but there are 4/);
    const waited = await publish('posts', '--wait');
    assert.equal(waited.code, 1);
    assert.match(waited.stderr, /not logged in.*\n.*Waiting for deliveries needs a login.*courant login/);
    assert.deepEqual(sent(), []);
  });

  it('prints what a destination would get', async () => {
    const { code, stdout } = await publish('posts/b9.md', '--show', 'cms_site');
    assert.equal(code, 0);
    assert.match(stdout, /^WordPress \(cms_site\)\n {2}.*title.*: b9$/m);
    assert.match(stdout, /^Ghost \(cms_site\)/m);
    assert.deepEqual(sent(), []);
  });
});

describe('courant init', () => {
  const cli = setUpPublish();

  it('init writes a valid post and a workflow, and overwrites nothing', async () => {
    const first = await cli.home.run(['init', 'blog']);
    assert.equal(first.code, 0, first.stderr);
    const post = join(cli.home.folder, 'blog/posts/first-post.md');
    assert.equal((await cli.home.run(['publish', '--dry-run', post])).code, 0);
    const workflow = await readFile(join(cli.home.folder, 'blog/.github/workflows/publish.yml'), 'utf8');
    assert.match(workflow, /secrets\.SERVICE_TOKEN/);
    assert.match(workflow, /^ +shell: bash$/m, 'only with pipefail, a failure of git fails the step');
    assert.match(workflow, /COURANT_ENDPOINT: \$\{\{ vars\.COURANT_ENDPOINT \}\}/, 'no runner reaches this machine');
    assert.match(first.stderr, /Set the variable COURANT_ENDPOINT/);
    const written = await readFile(post, 'utf8');
    await writeFile(post, 'mine');
    assert.match((await cli.home.run(['init', 'blog'])).stdout, /exists .*first-post\.md/);
    assert.equal(await readFile(post, 'utf8'), 'mine');
    const env = { COURANT_ENDPOINT: 'https://courant.example' };
    const readId = (text: string) => /^id: (.*)$/m.exec(text)?.[1];
    assert.equal((await cli.home.run(['init', 'public'], { env })).code, 0);
    const other = await readFile(join(cli.home.folder, 'public/posts/first-post.md'), 'utf8');
    assert.notEqual(readId(other), readId(written), 'two folders are not one article');
    const there = await readFile(join(cli.home.folder, 'public/.github/workflows/publish.yml'), 'utf8');
    assert.match(there, /COURANT_ENDPOINT: https:\/\/courant\.example\/graphql/);
  });

  it('init removes an incomplete file on a full disk (F22)', { skip: !CAN_MOUNT && NO_MOUNT }, async () => {
    const init = `"${process.execPath}" "${CLI_LAUNCHER}" init full`;
    const steps = [
      'mkdir full && mount -t tmpfs -o size=32k tmpfs full && mkdir -p full/posts full/.github/workflows',
      'cat /dev/zero > full/filler 2>/dev/null',
      `${init}; echo "exit $?"; find full -type f; rm full/filler; ${init}`,
    ];
    const { stdout, stderr } = await runProcess('unshare', ['-rm', 'sh', '-c', steps.join('\n')], cli.home.folder);
    assert.match(stderr, /cannot be written \(ENOSPC\): full\/posts\/first-post\.md/);
    assert.match(stdout, /^exit 1\nfull\/filler\nwrote {2}full\/posts\/first-post\.md\nwrote/);
  });
});

describe('an excerpt of a file', () => {
  it('has its caret below the column after tabs, wide characters and controls', () => {
    assert.deepEqual(showExcerpt('a\n\t日本\u001b: x', { line: 2, column: 7 }), [
      '   2 |  日本\\x1b: x',
      '     |            ^',
    ]);
    assert.deepEqual(showExcerpt('one', { line: 9, column: 1 }), []);
    const [line, caret] = showExcerpt(`${'x'.repeat(500)}!`, { line: 1, column: 501 });
    assert.equal(line?.indexOf('!'), caret?.indexOf('^'));
  });
});
