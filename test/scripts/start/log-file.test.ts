/** The supervisor reads the logs of its parts. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { findWarning, followLog, rotateLog } from '../../../scripts/start/processes/log-file.ts';
import { eventually } from '../../support/eventually.ts';

describe('the log of a part', () => {
  let file: string;
  beforeEach(() => {
    file = join(mkdtempSync(join(tmpdir(), 'courant-log-')), 'part.log');
  });
  afterEach(() => rmSync(join(file, '..'), { recursive: true, force: true }));

  it('is followed from its current end, line by line, however the writes are split', () => {
    writeFileSync(file, 'of an earlier run\n');
    const lines: string[] = [];
    const stop = followLog(file, (line) => lines.push(line));
    appendFileSync(file, 'one\ntw');
    appendFileSync(file, 'o\nthrée\nnot ended');
    stop();
    assert.deepEqual(lines, ['one', 'two', 'thrée']);
  });

  it('is renamed when it exceeds five megabytes', () => {
    writeFileSync(file, Buffer.alloc(5 * 1024 * 1024));
    rotateLog(file);
    assert.equal(existsSync(`${file}.1`), false);
    appendFileSync(file, 'x');
    rotateLog(file);
    assert.equal(existsSync(`${file}.1`), true);
    assert.equal(existsSync(file), false);
  });

  it('is rotated while it is written, and every line is read once', async () => {
    const lines: string[] = [];
    const stop = followLog(file, (line) => lines.push(line), 10_000);
    const descriptor = openSync(file, 'a');
    const written = Array.from({ length: 60 }, (_, n) => `line ${n} ${'x'.repeat(490)}`);
    for (const [n, line] of written.entries()) {
      writeSync(descriptor, `${line}\n`);
      // Nothing may be written between two reads of the follower, or a rotation could lose it.
      if (n % 10 === 9) await eventually('the lines to be read', async () => lines.length === n + 1);
      if (n % 30 === 29) await eventually('the log to be rotated', async () => statSync(file).size < 10_000);
    }
    stop();
    closeSync(descriptor);
    assert.deepEqual(lines, written);
    assert.ok(existsSync(`${file}.1`));
    assert.ok(statSync(file).size < 20_000);
  });

  it('shows its warnings and errors with their cause, and nothing else', () => {
    assert.equal(findWarning('{"level":30,"msg":"all well"}'), null);
    assert.equal(findWarning('{"level":40,"msg":"slow"}'), 'slow');
    assert.equal(findWarning('{"level":50,"msg":"failed","err":{"message":"no disk"}}'), 'failed: no disk');
    assert.equal(findWarning('LOG:  checkpoint starting'), null);
    assert.equal(findWarning('ERROR:  duplicate key value'), null);
    assert.equal(findWarning('PANIC:  could not write'), 'PANIC:  could not write');
    assert.equal(findWarning('{ cut off'), null);
  });
});
