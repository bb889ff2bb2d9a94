/** Confirmation of articles with pictures that readers cannot load. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLI_LAUNCHER, type CliResult, ON_TERMINAL, runOnTerminal, TOKEN } from '../cli-home.ts';
import { setUpPublish } from './publish-server.ts';

const TEXT = '---\ntitle: Hello\ncover_image: cover.png\n---\n\nText.\n\n![A shelf](img/shelf.png)\n';

describe('courant publish of a file with pictures that readers cannot reach', () => {
  const setUp = setUpPublish();

  async function publish(content: string, ...flags: string[]): Promise<CliResult> {
    const file = await setUp.home.write('pictures.md', content);
    return setUp.home.run(['publish', file, '--endpoint', setUp.server.endpoint, '--token', TOKEN, ...flags]);
  }

  const sent = () => setUp.server.requests.length;

  it('without a terminal exits with 2, names each picture with its line, and sends nothing', async () => {
    const { code, stdout, stderr } = await publish(TEXT);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      /pictures\.md has pictures that will not load\. Confirmation is required, but there is no terminal/,
    );
    assert.match(
      stderr,
      /pictures\.md:3:14: cover_image: Picture "cover\.png" will not load: readers cannot reach a local path\. Readers see no cover/,
    );
    assert.match(
      stderr,
      /pictures\.md:8: content: Picture "img\/shelf\.png" will not load: .*Readers see its text "A shelf" instead/,
    );
    assert.match(stderr, /base_url.*--yes/);
    assert.equal(sent(), 0);
  });

  it('reports the pictures as JSON', async () => {
    const { code, stdout } = await publish(TEXT, '--json');
    assert.equal(code, 2);
    const failure = JSON.parse(stdout) as { exitCode: number; errors: { path: string; line: number }[] };
    assert.equal(failure.exitCode, 2);
    assert.deepEqual(
      failure.errors.map(({ path, line }) => [path, line]),
      [
        ['cover_image', 3],
        ['content', 8],
      ],
    );
  });

  it('publishes with --yes, as a draft with --draft, and with an address to resolve pictures against', async () => {
    for (const flags of [
      ['--yes'],
      ['--draft'],
      ['--base-url', 'https://cdn.example.com/'],
      ['--canonical', 'https://a.example/b'],
    ])
      assert.equal((await publish(TEXT, ...flags)).code, 0, flags.join(' '));
    assert.equal(sent(), 4);
  });

  it('publishes a file with relative links and absolute pictures', async () => {
    const { code, stderr } = await publish('---\ntitle: Hello\n---\n[a](a.md) ![b](https://cdn.example.com/b.png)\n');
    assert.equal(code, 0, stderr);
  });

  it('prints the pictures in a dry run, and that a publish requires confirmation', async () => {
    const { code, stderr } = await publish(TEXT, '--dry-run');
    assert.equal(code, 0);
    assert.match(stderr, /^warning: .*pictures\.md:8: Picture "img\/shelf\.png" will not load/m);
    assert.match(
      stderr,
      /pictures\.md has pictures that will not load: `courant publish` requires confirmation first, unless --yes/,
    );
    const { doubts } = JSON.parse((await publish(TEXT, '--dry-run', '--json')).stdout) as {
      doubts: { code: string }[];
    };
    assert.deepEqual(
      doubts.map(({ code: doubt }) => doubt),
      ['picture_unreachable', 'picture_unreachable'],
    );
    assert.match((await publish(TEXT, '--dry-run', '--yes')).stderr, /can be published/);
  });

  it('requires confirmation on a terminal', ON_TERMINAL, async () => {
    const file = await setUp.home.write('pictures.md', TEXT);
    const command = `"${process.execPath}" "${CLI_LAUNCHER}" publish "${file}" --endpoint ${setUp.server.endpoint} --token ${TOKEN}`;
    const answer = (typed: string) =>
      runOnTerminal(command, setUp.home.folder, (shown) => (shown.includes('[N]o') ? typed : null));
    const refused = await answer('n\r');
    assert.equal(refused.code, 2);
    assert.match(refused.stdout, /pictures\.md:8: Picture "img\/shelf\.png" will not load/);
    assert.equal(sent(), 0);
    assert.equal((await answer('y\r')).code, 0);
    assert.equal(sent(), 1);
  });
});
