/** A hanging part is killed and restarted; a slow one is not. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { watchLiveness } from '../../../scripts/start/processes/liveness.ts';
import { supervise } from '../../../scripts/start/processes/supervise.ts';
import { eventually } from '../../support/eventually.ts';

test('a hanging part is killed and restarted', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'courant-hung-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'logs'));
  const port = await findFreePort();
  const script = join(folder, 'part.mjs');
  writeFileSync(
    script,
    `import { createServer } from 'node:http';
createServer((_, response) => response.end('ok')).listen(${port}, '127.0.0.1', () => console.log('part ready'));`,
  );
  const lines: string[] = [];
  const probe = async (signal: AbortSignal) => {
    await (await fetch(`http://127.0.0.1:${port}/`, { signal })).text();
  };
  const part = await supervise(
    {
      name: 'part',
      command: { file: process.execPath, args: [script], env: process.env, cwd: folder },
      waitUntilReady: ({ waitForLine }) => waitForLine('part ready'),
      probe,
      probing: { intervalMs: 300, maxFailures: 4 },
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 2_000,
    },
    {
      home: { folder, record: () => undefined },
      print: (line) => lines.push(line),
      onRestart: () => undefined,
      aborted: new AbortController().signal,
    },
  );
  try {
    const first = part.pid();
    process.kill(first, 'SIGSTOP');
    await eventually(
      'the part to run again',
      async () => part.pid() !== first && lines.some((line) => /restarted \(pid/.test(line)),
    );
    assert.ok(
      lines.some((line) => /^part has not responded for \d+ s; killing it$/.test(line)),
      lines.join('\n'),
    );
    await eventually('the part to answer', () =>
      probe(AbortSignal.timeout(1_000)).then(
        () => true,
        () => false,
      ),
    );
  } finally {
    await part.stop();
  }
});

test('failures that are not consecutive do not count as hanging', async () => {
  const stopped = new AbortController();
  let probes = 0;
  let hung = false;
  const watching = watchLiveness({
    probe: async () => {
      probes += 1;
      if (probes % 3 !== 0) throw new Error('no answer');
    },
    intervalMs: 5,
    maxFailures: 3,
    onHung: () => {
      hung = true;
    },
    stopped: stopped.signal,
  });
  await eventually('some probes', async () => probes > 12);
  stopped.abort();
  await watching;
  assert.equal(hung, false);
  const askedBy = probes;
  await sleep(50);
  assert.equal(probes, askedBy, 'nothing is asked once it is stopped');
});
