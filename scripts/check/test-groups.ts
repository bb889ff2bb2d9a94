/**
 * Groups test files into processes. Loading the API code costs three seconds of processor time and
 * the worker code six, which a group pays once. Each file is a suite with its own hooks and time
 * limit; suites run in sequence. To debug a failure, run its file alone.
 */
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Groups by path prefix, with the maximum number of files per process (a few minutes of processor
 * time). Slow groups come first, so that none runs alone at the end.
 */
const SHARED: [beginning: string, files: number][] = [
  ['test/browser/', 11],
  ['test/worker/', 5],
  ['test/workflows/', 15],
  ['test/api/', 26],
  ['test/cli/', 14],
  ['test/article/', 34],
  ['test/scripts/', 16],
  ['test/destinations/', 30],
  ['test/store/', 40],
  ['test/', 18],
];

/** Files that need their own process: they measure it, change its settings, or stop servers. */
const ALONE = [
  'test/scripts/start/start.test.ts',
  'test/docs/commands.test.ts',
  'test/article/markdown/cold-and-warm.test.ts',
  'test/runtime/telemetry/operation.test.ts',
  'test/api/accounts/export/archive-memory.test.ts',
  'test/api/attacks/worst-bodies.test.ts',
  'test/destinations/format/pool.test.ts',
  'test/scripts/start/concurrent-runs.test.ts',
  'test/scripts/check/test-groups.test.ts',
  'test/runtime/threads/pool.test.ts',
];

/** Ten times the duration of the slowest file. */
const FILE_TIME_LIMIT_MS = 15 * 60_000;

export interface TestGroup {
  name: string;
  files: string[];
}

export interface WrittenGroups {
  paths: string[];
  remove(): void;
}

export function listTestFiles(root: string): string[] {
  return globSync('test/**/*.test.ts', { cwd: root })
    .filter((file) => !/^test\/(faults|operation|real)\//.test(file))
    .sort();
}

/** Assigns every file to exactly one group. */
export function planGroups(files: readonly string[]): TestGroup[] {
  const missing = ALONE.filter((file) => !files.includes(file));
  if (missing.length > 0)
    throw new Error(`scripts/check/test-groups.ts names files that do not exist: ${missing.join(', ')}`);
  const remaining = new Set(files.filter((file) => !ALONE.includes(file)));
  const groups: TestGroup[] = [];
  for (const [beginning, size] of SHARED) {
    const groupFiles = [...remaining].filter((file) => file.startsWith(beginning));
    for (const file of groupFiles) remaining.delete(file);
    const count = Math.ceil(groupFiles.length / size);
    // Neighbouring files have similar costs, so they are distributed in turn.
    for (let n = 0; n < count; n++) {
      groups.push({ name: `${beginning}${n + 1}`, files: groupFiles.filter((_, index) => index % count === n) });
    }
  }
  const alone = ALONE.map((file) => ({ name: file.replace(/\.test\.ts$/, ''), files: [file] }));
  return interleave(groups, alone);
}

/** Interleaves both lists, because groups mostly compute and single files mostly wait. */
function interleave(groups: readonly TestGroup[], alone: readonly TestGroup[]): TestGroup[] {
  const spread = (list: readonly TestGroup[]) => list.map((group, index) => ({ group, at: index / list.length }));
  return [...spread(groups), ...spread(alone)].sort((one, other) => one.at - other.at).map(({ group }) => group);
}

/**
 * Writes each group as a file that imports its test files, because the test runner starts a process
 * per path. Numbers them, because the runner sorts the paths.
 */
export function writeGroups(groups: readonly TestGroup[], root: string): WrittenGroups {
  const folder = mkdtempSync(join(tmpdir(), 'courant-test-groups-'));
  const paths = groups.map(({ name, files }, index) => {
    const path = join(folder, `${String(index).padStart(3, '0')}-${name.replaceAll('/', '-')}.test.mjs`);
    writeFileSync(path, buildGroup(files, root));
    return path;
  });
  return { paths, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function buildGroup(files: readonly string[], root: string): string {
  const suites = files.map((file) => {
    const url = pathToFileURL(join(root, file)).href;
    return `describe(${JSON.stringify(file)}, { timeout: ${FILE_TIME_LIMIT_MS} }, () => import(${JSON.stringify(url)}));`;
  });
  return [HEAD, ...suites, FOOT, ''].join('\n');
}

/**
 * The test runner reports no test and no stack for an error that is thrown after its test has
 * ended.
 */
const HEAD = `import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
const thrown = [];
process.on('uncaughtExceptionMonitor', (error) => thrown.push(error?.stack ?? String(error)));`;
const FOOT = `test('no uncaught error was thrown', () => assert.deepEqual(thrown, []));`;
