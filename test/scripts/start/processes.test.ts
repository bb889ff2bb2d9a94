/** Processes of a start: their identity, their end, their logs and their restarts. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { endOrphans, lockHome, readLockHolder } from '../../../scripts/start/home.ts';
import { identify, isAlive, readCommandLine } from '../../../scripts/start/processes/identity.ts';
import { killGroup, launch, retryUntilReady, stopProcess } from '../../../scripts/start/processes/launch.ts';
import { findWarning, followLog, readLogEnd, rotateLog } from '../../../scripts/start/processes/log-file.ts';
import { type Part, supervise } from '../../../scripts/start/processes/supervise.ts';
import { findOnPath, formatErrorLine } from '../../../scripts/start/temporal/program.ts';
import { eventually } from '../../support/eventually.ts';

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'courant-processes-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'logs'));
  return folder;
}
const script = (code: string, folder: string) => ({
  ...{ file: process.execPath, args: ['-e', code], env: process.env, cwd: folder },
});
const FOREVER = 'setInterval(() => {}, 1000);';

test('a process is identified by its pid and start, and a zombie is not running', async () => {
  const own = identify(process.pid);
  assert.ok(own);
  assert.equal(own.pid, process.pid);
  assert.ok(isAlive(own));
  for (const other of [
    { ...own, started: 'x' },
    { pid: process.pid },
    { started: own.started },
    {},
    null,
    { pid: '1' } as never,
  ]) {
    assert.equal(isAlive(other), false, JSON.stringify(other));
  }
  assert.match(readCommandLine(process.pid), /node .*--/);
  assert.deepEqual([identify(2 ** 22 + 1), readCommandLine(2 ** 22 + 1)], [null, '']);
});

test('the output of a process is appended to its log, and its end is reported', async (t) => {
  const folder = createFolder(t);
  const log = join(folder, 'part.log');
  writeFileSync(log, 'before\n');
  const code = "process.stdout.write('out\\n'); process.stderr.write('err\\n'); process.exitCode = 3;";
  const ended = await launch({ ...script(code, folder), niceness: 5 }, log);
  assert.equal(getPriority(ended.identity.pid), 5);
  assert.equal(await ended.exited, 'exit code 3');
  assert.equal(readFileSync(log, 'utf8'), 'before\nout\nerr\n');
  const fresh = join(folder, 'fresh.log');
  const killed = await launch(script(FOREVER, folder), fresh);
  assert.equal(statSync(fresh).mode & 0o777, 0o600);
  assert.equal(getPriority(killed.identity.pid), getPriority());
  killGroup(killed.identity);
  assert.equal(await killed.exited, 'SIGKILL');
  await assert.rejects(launch({ ...script('', folder), file: '/nonexistent' }, log), { code: 'ENOENT' });
});

test('a stop waits for the end of the process, and kills its group after the timeout', async (t) => {
  const folder = createFolder(t);
  const log = join(folder, 'part.log');
  const child = `require('node:child_process').spawn(process.execPath, ['-e', '${FOREVER}'], { stdio: 'ignore' })`;
  const stubborn = await launch(
    script(`process.on('SIGTERM', () => {}); console.log(${child}.pid); ${FOREVER}`, folder),
    log,
  );
  await eventually('its child', async () => readFileSync(log, 'utf8').includes('\n'));
  const grandchild = identify(Number(readFileSync(log, 'utf8')));
  assert.ok(isAlive(grandchild));
  assert.equal(await stopProcess(stubborn.identity, { signal: 'SIGTERM', patienceMs: 100 }), false);
  assert.equal(isAlive(stubborn.identity), false);
  await eventually('the end of its child', async () => !isAlive(grandchild));
  const polite = await launch(script(FOREVER, folder), log);
  assert.equal(await stopProcess(polite.identity, { signal: 'SIGTERM', patienceMs: 5_000 }), true);
  assert.equal(await polite.exited, 'SIGTERM');
  // Another process has the pid.
  const reused = { pid: process.pid, started: 'another time' };
  assert.equal(await stopProcess(reused, { signal: 'SIGKILL', patienceMs: 0 }), true);
  killGroup(reused);
});

test('a check is repeated until it succeeds, time runs out, or the process is gone', async () => {
  const gone = new AbortController();
  let checks = 0;
  const check = async () => {
    checks += 1;
    if (checks < 3) throw new Error('not yet');
  };
  await retryUntilReady('part', check, { timeoutMs: 5_000, gone: gone.signal });
  assert.equal(checks, 3);
  const fail = () => Promise.reject(new Error('no answer'));
  await assert.rejects(retryUntilReady('part', fail, { timeoutMs: 100, gone: gone.signal }), {
    ...{ name: 'StartError', message: 'part was not ready within 0.1 s: no answer' },
  });
  gone.abort(new Error('it ended'));
  await assert.rejects(
    retryUntilReady('part', () => Promise.resolve(), { timeoutMs: 100, gone: gone.signal }),
    {
      message: 'it ended',
    },
  );
});

test('warnings and errors of each kind of log are shown, shortened', () => {
  for (const [line, warning] of [
    ['{"level":39,"msg":"x"}', null],
    ['{"msg":"x"}', null],
    ['{"level":50}', '{"level":50}'],
    ['{"level":50,"err":{"message":"only"}}', 'only'],
    [`{"level":50,"msg":"${'x'.repeat(400)}"}`, 'x'.repeat(300)],
    [`FATAL:  ${'x'.repeat(400)}`, `FATAL:  ${'x'.repeat(292)}`],
    ['level=FATAL msg=x', 'level=FATAL msg=x'],
    ['level=FATALITY', null],
    ['XFATAL: x', null],
    ['level=warn msg=x', null],
  ] as const) {
    assert.equal(findWarning(line), warning, line);
  }
});

test('the end of a log has its last twelve lines, of at most 4,000 bytes', (t) => {
  const file = join(createFolder(t), 'part.log');
  const [title, ...none] = readLogEnd(file).split('\n');
  assert.deepEqual([title, none], [`Last lines of its log (${file}):`, ['  ']]);
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  writeFileSync(file, `${lines.join('\n')}\n\n`);
  assert.deepEqual(
    readLogEnd(file).split('\n').slice(1),
    lines.slice(8).map((line) => `  ${line}`),
  );
  writeFileSync(file, `${'x'.repeat(5_000)}\nend`);
  assert.equal(readLogEnd(file).split('\n')[1], `  ${'x'.repeat(3_996)}`);
  rotateLog(join(file, '..', 'missing.log'));
});

test('an endless line is read in pieces, and a rotated log from its beginning', async (t) => {
  const file = join(createFolder(t), 'part.log');
  const lines: string[] = [];
  const stop = followLog(file, (line) => lines.push(line));
  writeFileSync(file, 'x'.repeat(70_000));
  await eventually('the first piece', async () => lines.length === 1);
  assert.equal(lines[0]?.length, 65_536);
  stop();
  assert.deepEqual(lines.length, 1, 'a line without an end is not read');
});

test('a home names its lock holder, and ends the orphans of an earlier start', async (t) => {
  const folder = createFolder(t);
  assert.equal(readLockHolder(folder), null);
  const home = lockHome(folder);
  assert.deepEqual(readLockHolder(folder), identify(process.pid));
  assert.equal(statSync(join(folder, 'supervisor.json')).mode & 0o777, 0o600);
  assert.throws(() => lockHome(folder), {
    name: 'StartError',
    message: `Courant already runs with ${folder} (pid ${process.pid}). Stop it first, or use another COURANT_HOME and other ports.`,
  });
  const start = async (...args: string[]) => {
    const child = spawn(process.execPath, ['-e', FOREVER, ...args], { detached: true, stdio: 'ignore' });
    await once(child, 'spawn');
    return identify(child.pid ?? 0) ?? assert.fail('it does not run');
  };
  const api = await start();
  home.record('api', api);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')), { api });
  assert.equal(statSync(join(folder, 'processes.json')).mode & 0o777, 0o600);
  rmSync(join(folder, 'supervisor.json'));
  const postgres = await start(join(folder, 'postgres'));
  mkdirSync(join(folder, 'postgres'));
  writeFileSync(join(folder, 'postgres', 'postmaster.pid'), `${postgres.pid}\n${folder}\n`);
  const next = lockHome(folder);
  assert.deepEqual(
    [...next.orphans],
    [
      ['api', api],
      ['postgres', postgres],
    ],
  );
  await endOrphans(next);
  assert.deepEqual([isAlive(api), isAlive(postgres)], [false, false]);
  next.release();
  assert.deepEqual(
    ['supervisor.json', 'processes.json'].map((name) => existsSync(join(folder, name))),
    [false, false],
  );
  // The file is stale: another process has the pid.
  for (const pid of [process.pid, 1, 0, 'x']) {
    writeFileSync(join(folder, 'postgres', 'postmaster.pid'), `${pid}\n`);
    const again = lockHome(folder);
    assert.equal(again.orphans.size, 0, String(pid));
    again.release();
  }
});

function createPart(folder: string, code: string, changes: Partial<Part> = {}): Part {
  return {
    ...{ name: 'part', command: script(code, folder), stopSignal: 'SIGTERM', stopTimeoutMs: 2_000 },
    ...{ waitUntilReady: ({ waitForLine }) => waitForLine('part ready'), probe: () => Promise.resolve() },
    ...changes,
  };
}
const run = (t: TestContext, code: string, changes: Partial<Part> = {}, aborted = new AbortController().signal) => {
  const folder = createFolder(t);
  const lines: string[] = [];
  const seen = { restarts: 0, records: [] as string[] };
  const supervised = supervise(createPart(folder, code, changes), {
    home: { folder, record: (name, { pid }) => void seen.records.push(`${name} ${pid}`) },
    print: (line) => lines.push(line),
    onRestart: () => {
      seen.restarts += 1;
    },
    aborted,
  });
  return { folder, lines, seen, supervised };
};
const READY = "console.log('part ready');";

test('a part that ends before it is ready fails with the end of its log', async (t) => {
  const { folder, supervised } = run(t, "console.log('no port'); process.exit(4);");
  await assert.rejects(supervised, {
    name: 'StartError',
    message: `part could not be started: it ended (exit code 4)\nLast lines of its log (${join(folder, 'logs', 'part.log')}):\n  no port`,
  });
  const reason = new Error('cancelled');
  await assert.rejects(run(t, READY, {}, AbortSignal.abort(reason)).supervised, reason);
});

test('a part that ends is restarted, and its warnings are shown a few at a time', async (t) => {
  const { folder, lines, seen, supervised } = run(
    t,
    `console.log('{"level":50,"msg":"before"}'); ${READY} process.on('SIGUSR2', () => { for (let n = 0; n < 8; n++) console.log('{"level":50,"msg":"w' + n + '"}'); }); ${FOREVER}`,
  );
  const part = await supervised;
  const first = part.pid();
  process.kill(first, 'SIGUSR2');
  await eventually('its warnings', async () => lines.length >= 6);
  const warnings = [0, 1, 2, 3, 4].map((n) => `part: w${n}`);
  assert.deepEqual(lines.splice(0), [...warnings, `part: more warnings in ${join(folder, 'logs', 'part.log')}`]);
  process.kill(first, 'SIGKILL');
  await eventually('a restart', async () => seen.restarts === 1);
  assert.notEqual(part.pid(), first);
  assert.deepEqual(lines, ['part ended (SIGKILL); restarting in 0.25 s', `part restarted (pid ${part.pid()})`]);
  assert.deepEqual(seen.records, [`part ${first}`, `part ${part.pid()}`]);
  const identity = identify(part.pid());
  await part.stop();
  assert.equal(isAlive(identity), false);
  assert.equal(lines.length, 2, 'a stop is no end to report');
});

test('a part that does not end in time is killed, and this is reported', async (t) => {
  const { lines, supervised } = run(t, `process.on('SIGTERM', () => {}); ${READY} ${FOREVER}`, { stopTimeoutMs: 200 });
  const part = await supervised;
  const identity = identify(part.pid());
  await part.stop();
  assert.equal(isAlive(identity), false);
  assert.deepEqual(lines, ['part did not end within 0.2 s and was killed']);
  const killed = run(t, `${READY} ${FOREVER}`);
  const other = await killed.supervised;
  const victim = identify(other.pid());
  other.kill();
  await eventually('its end', async () => !isAlive(victim));
  await other.stop();
  assert.deepEqual(killed.lines, []);
});

test('programs are found in the order of the PATH, and errors of programs are one line', (t) => {
  const folder = createFolder(t);
  for (const name of ['a/two', 'b/one', 'b/two']) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
  const PATH = ['', join(folder, 'a'), join(folder, 'b')].join(delimiter);
  assert.equal(findOnPath(['one', 'two'], { PATH }), undefined);
  for (const name of ['b/one', 'b/two']) chmodSync(join(folder, name), 0o755);
  assert.equal(findOnPath(['two', 'one'], { PATH }), join(folder, 'b/two'));
  assert.equal(findOnPath(['one'], {}), undefined);
  assert.equal(formatErrorLine({ code: 'ENOENT', path: 'go' }), 'go is not installed');
  assert.equal(formatErrorLine({ code: 'ENOENT', message: 'no such file' }), 'no such file');
  assert.equal(formatErrorLine({ killed: true, message: 'x' }), 'took too long');
  assert.equal(formatErrorLine({ stderr: 'one\ntwo \n', message: 'x' }), 'two');
  assert.equal(formatErrorLine({ stderr: ' ', message: 'one\nlast' }), 'last');
  assert.equal(formatErrorLine('text'), 'text');
  assert.equal(formatErrorLine(new Error('x'.repeat(400))), 'x'.repeat(300));
});
