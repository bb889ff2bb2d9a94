/** Output on a terminal: neutralised text, wrapping, colours and excerpts. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createFailure } from '../../cli/failure.ts';
import {
  createTerminal,
  formatReadableJson,
  neutraliseLine,
  neutraliseText,
  type Terminal,
} from '../../cli/terminal/output.ts';
import { reportFailure } from '../../cli/terminal/report.ts';
import { runs } from '../support/property-runs.ts';
import { readShared, sharedPath } from '../support/shared-data.ts';
import { type CliHome, createCliHome, TOKEN } from './cli-home.ts';
import { created, type PublishServer, startPublishServer } from './publish/publish-server.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for.
const HARMFUL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const hostile = fc.string({
  unit: fc.oneof(fc.constantFrom(...'\u001b\u009b\r\n\t\u0007\u202e\u2028[;m'), fc.string()),
});

/** Returns the lines of a terminal with this number of columns. */
function showOnTerminal(columns: number, show: (terminal: Terminal) => void): string[] {
  let text = '';
  const write = (chunk: string) => {
    text += chunk;
  };
  const stream = { isTTY: true, columns, write };
  show(createTerminal(stream, stream, false));
  return text.trimEnd().split('\n');
}

/** Counts columns; Japanese characters take two. */
function countColumns(text: string): number {
  return [...text].reduce((columns, character) => columns + (character >= '\u3000' ? 2 : 1), 0);
}

describe('on a terminal', () => {
  it('sentences wrap between words at any width, and addresses do not wrap', () => {
    const hint = '  Set a new password here: https://courant.example/account/forgot-password or ask.';
    assert.deepEqual(
      showOnTerminal(40, ({ note }) => note(hint)),
      ['  Set a new password here:', '    https://courant.example/account/forgot-password', '    or ask.'],
    );
    assert.deepEqual(
      showOnTerminal(200, ({ note }) => note(hint)),
      [hint],
    );
  });

  it('the caret of an excerpt is below its column, also in narrow terminals and Japanese text', () => {
    for (const [columns, text, marker] of [
      [60, `${'word '.repeat(20)}HERE ${'word '.repeat(20)}`, 'HERE'],
      [60, `${'日本語'.repeat(30)}ここ${'日本語'.repeat(30)}`, 'ここ'],
    ] as const) {
      const failure = createFailure('Wrong.', {
        text,
        problems: [{ path: '', message: 'Here.', line: 1, column: text.indexOf(marker) + 1 }],
      });
      const [, , line = '', caret = ''] = showOnTerminal(columns, (terminal) => reportFailure(failure, terminal));
      assert.ok(countColumns(line) <= columns, line);
      assert.equal(countColumns(line.slice(0, line.indexOf(marker))), caret.indexOf('^'), `${line}\n${caret}`);
    }
  });

  it('a note replaces the progress line, which is drawn again below it', () => {
    const lines = showOnTerminal(80, ({ draw, note }) => {
      draw('working');
      note('a sentence');
      draw('working');
      draw('');
    });
    assert.deepEqual(lines, ['\r\u001b[Kworking\r\u001b[Ka sentence', '\r\u001b[Kworking\r\u001b[K']);
  });
});

describe('text for the terminal', () => {
  it('has no controls and is one line for any input', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        assert.doesNotMatch(neutraliseLine(text), HARMFUL);
        assert.doesNotMatch(neutraliseLine(text), /\n/);
        assert.doesNotMatch(neutraliseText(text), HARMFUL);
      }),
      { numRuns: runs(100) },
    );
  });

  it('is unchanged if it is harmless', () => {
    for (const text of ['Größe', '日本語 🎉', 'family 👨‍👩‍👧', 'a b']) assert.equal(neutraliseLine(text), text);
    assert.equal(neutraliseLine('x'.repeat(5_000)).length, 1_001);
  });

  it('has no controls as JSON, and parses to the same value', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const json = formatReadableJson({ content: text });
        assert.doesNotMatch(json, HARMFUL);
        assert.deepEqual(JSON.parse(json), { content: text });
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('colours', () => {
  const write = (isTTY: boolean, colours: boolean) => {
    let text = '';
    const output = { isTTY, write: (chunk: string) => (text += chunk) };
    const terminal = createTerminal(output, output, colours);
    terminal.note(terminal.notePaint.red('error\u001b[0m'));
    return text;
  };

  it('are used only on terminals, and not with NO_COLOR', () => {
    assert.equal(write(true, true), '\u001b[31merror\\x1b[0m\u001b[0m\n');
    assert.equal(write(true, false), 'error\\x1b[0m\n');
    assert.equal(write(false, true), 'error\\x1b[0m\n');
  });
});

describe('a hostile document or server', () => {
  let home: CliHome;
  let server: PublishServer;
  const EVIL = '\u001b[2J\u009b31m\u202e';

  before(async () => {
    home = await createCliHome();
    server = await startPublishServer();
  });
  after(async () => {
    await server.close();
    await home.remove();
  });

  it('cannot write escapes through a title, a tag or a file name in the dry run (A23)', async () => {
    const title = JSON.stringify(`Hi ${EVIL}`);
    const file = await home.write('evil\u001b[31m.md', `---\ntitle: ${title}\ntags: [${title}]\n---\n${EVIL} Text.\n`);
    const { stdout, stderr } = await home.run(['publish', file, '--dry-run']);
    assert.doesNotMatch(stdout + stderr, HARMFUL);
    assert.match(stderr, /evil\\x1b\[31m\.md/);
  });

  it('cannot write escapes through arguments that an error quotes', async () => {
    const { code, stderr } = await home.run(['publish', 'x.md', `--nothing${EVIL}`]);
    assert.equal(code, 2);
    assert.doesNotMatch(stderr, HARMFUL);
  });

  it('cannot write escapes through a successful response', async () => {
    const file = await home.write('post.md', '---\ntitle: Hello\n---\nText.\n');
    const args = ['publish', file, '--endpoint', server.endpoint, '--token', TOKEN];
    const warnings = [{ code: EVIL, message: `${EVIL}\nCreated FORGED` }];
    const evil = () => created({ url: `https://x.example/${EVIL}`, status: EVIL, id: EVIL }, { warnings });
    server.next(evil(), evil());
    for (const flags of [[], ['--json']]) {
      const { code, stdout, stderr } = await home.run([...args, ...flags]);
      assert.equal(code, 0);
      assert.doesNotMatch(stdout + stderr, HARMFUL);
      assert.doesNotMatch(stderr, /^Created FORGED/m);
    }
  });

  const hostileLists = sharedPath('hostile');
  it('cannot make a dry run of hostile documents crash or send anything (A61)', {
    skip: hostileLists.skip,
  }, async () => {
    const read = (name: string) => readShared(`hostile/${name}`).split('\n').filter(Boolean);
    const fixtures = JSON.parse(readShared('hostile/dompurify-fixtures.json')) as { payload: string }[];
    const [lines, addresses] = [read('crlf.txt').map(decode), [`${server.origin}/called`, ...read('ssrf.txt')]];
    const folder = join(home.folder, 'hostile');
    await mkdir(folder);
    for (let n = 0; n < 60; n++) {
      const [line = '', address = ''] = [lines[n % lines.length], addresses[(n * 7) % addresses.length]];
      const payload = fixtures[n * 2]?.payload ?? '';
      const keys = {
        title: `${line}${EVIL}`,
        slug: line,
        canonical_url: address,
        cover_image: address,
        tags: [payload],
      };
      const written = Object.entries(keys).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
      await writeFile(join(folder, `${n}.md`), `---\n${written.join('\n')}\n---\n\n${payload}\n${EVIL}\n`);
    }
    const before = server.connections();
    const { code, stdout, stderr } = await home.run(['publish', folder, '--dry-run', '--endpoint', server.endpoint]);
    assert.equal(code, 2, 'some of them cannot be published');
    assert.doesNotMatch(stdout + stderr, HARMFUL);
    assert.doesNotMatch(stderr, /at .*\(.*:\d+:\d+\)/, 'no stack');
    assert.equal(server.connections(), before);
  });
});

function decode(line: string): string {
  try {
    return decodeURIComponent(line);
  } catch {
    return line;
  }
}
