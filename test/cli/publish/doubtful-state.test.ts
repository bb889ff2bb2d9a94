/** Confirmation of articles that may not be meant for the public. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CLI_LAUNCHER, type CliResult, runOnTerminal, TOKEN } from '../cli-home.ts';
import { setUpPublish } from './publish-server.ts';

/** `script` of util-linux provides a terminal. */
const HAS_SCRIPT = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
const TERMINAL = { skip: !HAS_SCRIPT && 'needs script(1) of util-linux' };
const DOUBTFUL = '---\ntitle: Hello\npublish: false\n---\nText.\n';

describe('courant publish of a file that may not be meant for the public (A32)', () => {
  const setUp = setUpPublish();

  async function publish(content: string, ...flags: string[]): Promise<CliResult> {
    const file = await setUp.home.write('doubt.md', content);
    return setUp.home.run(['publish', file, '--endpoint', setUp.server.endpoint, '--token', TOKEN, ...flags]);
  }

  /** Publishes on a terminal and types the answer once the question is shown. */
  async function answer(typed: string): Promise<CliResult> {
    const { home, server } = setUp;
    const file = await home.write('doubt.md', DOUBTFUL);
    const command = `"${process.execPath}" "${CLI_LAUNCHER}" publish "${file}" --endpoint ${server.endpoint} --token ${TOKEN}`;
    return runOnTerminal(command, home.folder, (shown) => (shown.includes('[N]o') ? typed : null));
  }

  const sent = (): string[] => setUp.server.requests.map(({ body }) => String(body.content));

  it('without a terminal exits with 2, reports position and reason, and sends nothing', async () => {
    const { code, stdout, stderr } = await publish(DOUBTFUL);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /doubt\.md may not be meant for the public/);
    assert.match(stderr, /doubt\.md:3:10: publish: false sounds like "not public"/);
    assert.match(stderr, /--yes.*--draft/);
    assert.deepEqual(sent(), []);
  });

  it('reports it as JSON', async () => {
    const { code, stdout } = await publish(DOUBTFUL, '--json');
    assert.equal(code, 2);
    const failure = JSON.parse(stdout) as { success: boolean; exitCode: number; errors: object[] };
    assert.deepEqual([failure.success, failure.exitCode], [false, 2]);
    assert.equal(failure.errors.length, 1);
    assert.deepEqual(sent(), []);
  });

  it('requires confirmation for a date in the future', async () => {
    const { code, stderr } = await publish('---\ntitle: Hello\ndate: 2150-01-01\n---\nText.\n');
    assert.equal(code, 2);
    assert.match(stderr, /doubt\.md:3:7: date: "2150-01-01" is in the future/);
  });

  it('requires confirmation for a drafts folder, whose name is not sent', async () => {
    const { home, server } = setUp;
    await mkdir(join(home.folder, '_drafts'), { recursive: true });
    const file = await home.write('_drafts/notes.md', '---\ntitle: Notes\n---\nText.\n');
    const { code, stderr } = await home.run(['publish', file, '--endpoint', server.endpoint, '--token', TOKEN]);
    assert.equal(code, 2);
    assert.match(stderr, /The file is in _drafts\//);
    assert.deepEqual(sent(), []);
    const forced = await home.run(['publish', file, '--yes', '--endpoint', server.endpoint, '--token', TOKEN]);
    assert.equal(forced.code, 0);
    assert.equal(server.requests[0]?.body.fileName, 'notes.md');
  });

  it('publishes with --yes', async () => {
    for (const flag of ['--yes', '-y']) {
      const { code, stdout } = await publish(DOUBTFUL, flag);
      assert.equal(code, 0, flag);
      assert.match(stdout, /Created/);
    }
    assert.deepEqual(sent(), [DOUBTFUL, DOUBTFUL]);
  });

  it('publishes without confirmation if the frontmatter sets the status', async () => {
    assert.equal((await publish(DOUBTFUL.replace('---\nText', 'status: PUBLISHED\n---\nText'))).code, 0);
  });

  it('saves a draft with --draft, without confirmation', async () => {
    assert.equal((await publish(DOUBTFUL, '--draft')).code, 0);
    assert.match(sent()[0] ?? '', /^status: DRAFT$/m);
  });

  it('reports in a dry run that confirmation is required, and which keys are renamed or ignored', async () => {
    const content = DOUBTFUL.replace('publish', 'layout: post\nsummary: Short\npublish');
    const { code, stdout, stderr } = await publish(content, '--dry-run');
    assert.equal(code, 0);
    assert.equal((JSON.parse(stdout) as { content: string }).content, content);
    assert.match(stderr, /warning:.*publish: false.*\(state_doubtful\)/);
    assert.match(stderr, /hint: summary is read as excerpt\./);
    assert.match(stderr, /hint: not read: layout\n/);
    assert.match(
      stderr,
      /may not be meant for the public: `courant publish` requires confirmation first, unless --yes/,
    );
    const json = JSON.parse((await publish(content, '--dry-run', '--json')).stdout) as { hints: { code: string }[] };
    assert.deepEqual(
      json.hints.map(({ code: hint }) => hint),
      ['field_alias', 'field_ignored'],
    );
    assert.match((await publish(content, '--dry-run', '--yes')).stderr, /can be published/);
  });

  it('prompts on a terminal, and publishes if the answer is yes', TERMINAL, async () => {
    const { code, stdout } = await answer('y\r');
    assert.match(stdout, /may not be public:.*doubt\.md:3:10: publish: false/);
    assert.equal(code, 0, stdout);
    assert.deepEqual(sent(), [DOUBTFUL]);
  });

  it('saves a draft if the answer is d', TERMINAL, async () => {
    const { code, stdout } = await answer('d\r');
    assert.equal(code, 0, stdout);
    assert.match(sent()[0] ?? '', /^status: DRAFT$/m);
  });

  it('sends nothing and exits with 2 if the answer is not y or d', TERMINAL, async () => {
    for (const typed of ['n\r', '\r', 'why?\r', '\u0004']) {
      const { code, stdout } = await answer(typed);
      assert.equal(code, 2, stdout);
      assert.match(stdout, /Not published\. Nothing was sent\./);
    }
    assert.deepEqual(sent(), []);
  });

  it('sends nothing and exits with 130 on Ctrl-C', TERMINAL, async () => {
    assert.equal((await answer('\u0003')).code, 130);
    assert.deepEqual(sent(), []);
  });
});

describe('courant publish --draft', () => {
  const setUp = setUpPublish();

  it('saves a draft for every form of frontmatter (A32)', async () => {
    const shapes = [
      '{"title": "T", "Status": "PUBLISHED"}\nText.\n',
      ';;;\n"title": "T"\n;;;\nText.\n',
      'title: T\nstatus: PUBLISHED\n---\nText.\n',
      '<!-- c -->\n----\nSTATUS: PUBLISHED\n----\nText.\n',
      '---\nsubtitle: "one\ntwo"\nstatus: PUBLISHED\n---\nText.\n',
    ];
    for (const content of shapes) {
      const file = await setUp.home.write('shape.md', content);
      const { code, stdout } = await setUp.home.run(['publish', file, '--draft', '--dry-run', '--json']);
      assert.equal(code, 0, content);
      assert.equal((JSON.parse(stdout) as { summary: { status: string } }).summary.status, 'DRAFT', content);
    }
  });
});
