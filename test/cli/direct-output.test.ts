/** Direct output to files and pipes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openOutput } from '../../cli/terminal/direct-output.ts';

const folder = mkdtempSync(join(tmpdir(), 'courant-output-'));
after(() => rmSync(folder, { recursive: true }));

test('output to a file is written synchronously, without a stream', () => {
  const path = join(folder, 'file.txt');
  const fd = openSync(path, 'w');
  const output = openOutput(fd, () => assert.fail('a stream was opened'), assert.fail);
  output.write('Größe\n');
  output.write('日本語\n');
  assert.equal(readFileSync(path, 'utf8'), 'Größe\n日本語\n');
  closeSync(fd);
});

test('a full non-blocking pipe gets the rest through a stream, complete and in order', () => {
  const { reader, writer } = openPipe();
  const streamed: Uint8Array[] = [];
  let opened = 0;
  const stream = { write: (text: string | Uint8Array) => streamed.push(Buffer.from(text)) };
  const output = openOutput(
    writer,
    () => {
      opened += 1;
      return stream;
    },
    assert.fail,
  );
  const texts = ['ä'.repeat(200_000), 'b'.repeat(10), 'c'];
  for (const text of texts) output.write(text);
  const direct = Buffer.alloc(1_000_000);
  const bytes = readSync(reader, direct);
  assert.equal(opened, 1);
  assert.equal(Buffer.concat([direct.subarray(0, bytes), ...streamed]).toString(), texts.join(''));
  closeSync(reader);
  closeSync(writer);
});

test('a closed reader is reported as EPIPE, as by a stream', () => {
  const { reader, writer } = openPipe();
  closeSync(reader);
  const codes: unknown[] = [];
  const stream = () => assert.fail('a stream was opened');
  openOutput(writer, stream, (error) => codes.push((error as NodeJS.ErrnoException).code)).write('text');
  assert.deepEqual(codes, ['EPIPE']);
  closeSync(writer);
});

/** Opens a named pipe with non-blocking ends. */
function openPipe(): { reader: number; writer: number } {
  const path = join(folder, 'pipe');
  rmSync(path, { force: true });
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, writer: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK) };
}
