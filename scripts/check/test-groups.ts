/**
 * The test files in groups, each of which is one process. Loading the code of the API costs three seconds of processor time, and that of the
 * worker six: a process pays it once, for all files of its group. Each file is a suite there, with hooks and a time limit of its own, and they
 * run one after another; whoever looks for a failure runs its file alone, as ever.
 */
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Which files share processes, by how their path begins, and how many a process may have: about a minute of processor time. The longest come
 * first, so that none of them is alone at the end.
 */
const SHARED: [beginning: string, files: number][] = [
  ['test/browser/', 4],
  ['test/worker/', 3],
  ['test/workflows/', 6],
  ['test/api/', 13],
  ['test/cli/', 7],
  ['test/article/', 18],
  ['test/scripts/', 9],
  ['test/destinations/', 24],
  ['test/store/', 28],
  ['test/', 12],
];

/** Files that need a process to themselves: they measure it, set what is its own, or kill or stop what others would use. */
const ALONE = [
  'test/walk/random-walk.test.ts',
  'test/scripts/start.test.ts',
  'test/api/background/killed-api.test.ts',
  'test/workflows/database-restarts.test.ts',
  'test/article/cold-and-warm.test.ts',
  'test/telemetry/operation.test.ts',
  'test/api/background/database-restart.test.ts',
  'test/api/accounts/archive-memory.test.ts',
  'test/api/attacks/worst-bodies.test.ts',
  'test/destinations/format/pool.test.ts',
  'test/scripts/concurrent-runs.test.ts',
  'test/scripts/test-groups.test.ts',
  'test/threads/pool.test.ts',
];

/** Ten times what the longest takes. */
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

/** Every file is in exactly one group. */
export function planGroups(files: readonly string[]): TestGroup[] {
  const gone = ALONE.filter((file) => !files.includes(file));
  if (gone.length > 0)
    throw new Error(`scripts/check/test-groups.ts names files that do not exist: ${gone.join(', ')}`);
  const left = new Set(files.filter((file) => !ALONE.includes(file)));
  const groups: TestGroup[] = [];
  for (const [beginning, size] of SHARED) {
    const own = [...left].filter((file) => file.startsWith(beginning));
    for (const file of own) left.delete(file);
    const count = Math.ceil(own.length / size);
    // Neighbours cost about the same, so they are dealt out.
    for (let n = 0; n < count; n++) {
      groups.push({ name: `${beginning}${n + 1}`, files: own.filter((_, index) => index % count === n) });
    }
  }
  const alone = ALONE.map((file) => ({ name: file.replace(/\.test\.ts$/, ''), files: [file] }));
  return mix(groups, alone);
}

/** Groups mostly compute, and files that are alone mostly wait: beside one another neither lacks a processor. */
function mix(groups: readonly TestGroup[], alone: readonly TestGroup[]): TestGroup[] {
  const place = (list: readonly TestGroup[]) => list.map((group, index) => ({ group, at: index / list.length }));
  return [...place(groups), ...place(alone)].sort((one, other) => one.at - other.at).map(({ group }) => group);
}

/** As files that import them, since the test runner starts one process for each path. It sorts the paths, so they are numbered. */
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

/** The runner would name no failed test for what is thrown after its test has ended, and keep its stack to itself. */
const HEAD = `import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
const thrown = [];
process.on('uncaughtExceptionMonitor', (error) => thrown.push(error?.stack ?? String(error)));`;
const FOOT = `test('nothing was thrown that nobody caught', () => assert.deepEqual(thrown, []));`;
