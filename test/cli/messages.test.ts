/** Messages about errors of the system, positions in files, remotes and exported paths. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSafeExportPath } from '../../cli/export/export-folder.ts';
import { createFailure, describeOutputError, Interrupted, ignoreAbsent, readSystemCode } from '../../cli/failure.ts';
import { createWriteFailure } from '../../cli/replace-file.ts';
import { listRemotes } from '../../cli/source/git-folder.ts';
import { describeNotice, formatFailureJson, showExcerpt } from '../../cli/terminal/report.ts';

test('system errors are recognised in causes and in the first of several errors', () => {
  const error = Object.assign(new Error('x'), { code: 'ENOSPC' });
  const wrap = (cause: unknown) => new Error('outer', { cause });
  assert.equal(readSystemCode(wrap(wrap(wrap(error)))), 'ENOSPC');
  assert.equal(readSystemCode(wrap(wrap(wrap(wrap(error))))), undefined);
  assert.equal(readSystemCode(new AggregateError([error, new Error('y')])), 'ENOSPC');
  assert.equal(readSystemCode(Object.assign(new Error('x'), { code: 7 })), undefined);
  for (const nothing of [new AggregateError([]), 'text', null]) assert.equal(readSystemCode(nothing), undefined);
  assert.equal(describeOutputError(error), 'error: The output cannot be written (ENOSPC).');
  assert.equal(describeOutputError(new Error('x')), 'error: The output cannot be written (error).');
  for (const code of ['ENOENT', 'ENOTDIR']) assert.equal(ignoreAbsent(Object.assign(new Error('x'), { code })), null);
  assert.throws(() => ignoreAbsent(error), error);
  const explainWrite = (code?: string) => {
    const { message, details } = createWriteFailure(
      '/x',
      Object.assign(new Error('x'), code === undefined ? {} : { code }),
    );
    return [message, ...details.hints];
  };
  const rest = 'The files written so far are complete. Run the same command again to continue.';
  for (const code of ['ENOSPC', 'EDQUOT'])
    assert.deepEqual(explainWrite(code), [
      `This file cannot be written (${code}): /x`,
      `Free some space there. ${rest}`,
    ]);
  assert.deepEqual(explainWrite(), [
    'This file cannot be written (error): /x',
    `Use a folder that you can write to. ${rest}`,
  ]);
});

test('a signal ends a command with the exit code of shells', () => {
  const [interrupted, terminated] = [new Interrupted('SIGINT'), new Interrupted('SIGTERM')];
  assert.deepEqual([interrupted.message, interrupted.exitCode], ['Interrupted.', 130]);
  assert.deepEqual([terminated.message, terminated.exitCode], ['Terminated.', 143]);
});

test('a failure as JSON has its problems, hints and the response of the server', () => {
  const details = {
    problems: [{ path: 'p', message: 'm' }],
    hints: ['h'],
    file: 'f',
    server: { status: 422, code: 'c' },
  };
  assert.deepEqual(formatFailureJson(createFailure('No.', details)), {
    ...{
      success: false,
      message: 'No.',
      exitCode: 1,
      file: 'f',
      errors: details.problems,
      hints: ['h'],
      status: 422,
      code: 'c',
    },
  });
});

test('a notice is located as far as its position is known', () => {
  const notice = { code: 'c', message: 'M.' };
  assert.equal(describeNotice(notice, 'f.md'), 'M. (c)');
  assert.equal(describeNotice({ ...notice, path: 'tags' }, 'f.md'), 'f.md: M. (c)');
  assert.equal(describeNotice({ ...notice, line: 3, column: 4 }, 'f.md'), 'f.md:3:4: M. (c)');
  assert.equal(describeNotice({ ...notice, path: 'tags', column: 4 }, 'f.md'), 'f.md: M. (c)');
});

test('an excerpt shows the line and a caret below the column, cut to the width', () => {
  assert.deepEqual(showExcerpt('a\r\nb\tc\rd', { line: 2, column: 3 }), ['   2 | b c', '     |   ^']);
  assert.deepEqual(showExcerpt('a\nbc', { line: 2 }), ['   2 | bc']);
  for (const line of [0, 3, 9]) assert.deepEqual(showExcerpt('a\nb\n ', { line }), []);
  assert.deepEqual(showExcerpt('abc', { line: 1, column: 9 }), ['   1 | abc', '     |    ^']);
  const long = 'x'.repeat(101);
  assert.equal(showExcerpt(long.slice(1), { line: 1 })[0], `   1 | ${long.slice(1)}`);
  assert.equal(showExcerpt(long, { line: 1 })[0], `   1 | ${long.slice(1)}…`);
  assert.deepEqual(showExcerpt(long, { line: 1, column: 101 }, 50), [
    `   1 | …${'x'.repeat(23)}`,
    `     | ${' '.repeat(23)}^`,
  ]);
  assert.equal(showExcerpt(long, { line: 1 }, 10)[0], `   1 | ${'x'.repeat(20)}…`);
});

test('remotes are read in their order, with the first URL of each', () => {
  const config =
    '[core]\n\turl = no\n[remote "origin"]\n\tfetch = x\n\turl = "git@a.io:b.git"  \n\turl = second\n[Remote "x y"]\nURL=https://c.io\n[remote "empty"]\n[branch "main"]\n\turl = no\n';
  assert.deepEqual(listRemotes(config), [
    { name: 'origin', url: 'git@a.io:b.git' },
    { name: 'x y', url: 'https://c.io' },
  ]);
});

test('only paths that exports contain are written', () => {
  const safe = (path: string, system: NodeJS.Platform = 'linux') => isSafeExportPath(path, system);
  for (const path of [
    'articles/a.md',
    'images/a.avif',
    'comments.json',
    'README.txt',
    'images/a.png',
    'images/b.jpg',
    'images/c.gif',
    'images/d.webp',
  ])
    assert.ok(safe(path) && safe(path, 'win32'), path);
  for (const path of [
    'a/articles/a.md',
    '../a.md',
    'other/a.md',
    'articles/a.js',
    'a.md.exe',
    'articles/.a.md',
    'articles/a\u0000.md',
    'articles/a\u007f.md',
  ])
    assert.ok(!safe(path), path);
  for (const sign of '<>:"\\|?*\u001f') assert.ok(!safe(`articles/a${sign}.md`), sign);
  for (const name of ['aux', 'CON', 'nul', 'prn', 'com1', 'lpt9']) {
    assert.ok(safe(`articles/${name}.md`) && !safe(`articles/${name}.md`, 'win32'), name);
    assert.ok(safe(`articles/x${name}.md`, 'win32'), name);
  }
});
