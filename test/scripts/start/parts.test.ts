/** The commands and environments of the processes that `npm start` runs, and how each becomes ready. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  buildApiPart,
  buildPartEnvironment,
  buildPostgresPart,
  buildSandboxPart,
  buildTemporalPart,
  buildWorkerPart,
} from '../../../scripts/start/parts.ts';
import { buildPostgresEnvironment, type Cluster } from '../../../scripts/start/postgres/cluster.ts';
import { buildClusterUrl, buildPostgresCommand } from '../../../scripts/start/postgres/server.ts';
import type { Part } from '../../../scripts/start/processes/supervise.ts';
import { readSettings } from '../../../scripts/start/settings.ts';
import { buildTemporalCommand } from '../../../scripts/start/temporal/server.ts';

const SETTINGS = readSettings({ COURANT_HOME: '/home' }, '/');
const PROGRAMS = { find: (source: string) => `dist/${source}`, env: { NAME: 'value' }, root: '/srv' };
const CLUSTER: Cluster = {
  programs: { initdb: '/bin/initdb', postgres: '/bin/postgres' },
  ...{ folder: '/home/postgres', password: 'super', servicePassword: 'own', account: { uid: 7, gid: 8 }, prefix: [] },
};
const watch = (gone = new AbortController().signal) => ({ gone, waitForLine: () => Promise.resolve() });

const omitChecks = ({ waitUntilReady: _, probe: __, ...part }: Part) => part;

async function startServer(t: TestContext, respond: (path: string) => number): Promise<number> {
  const server = createServer(({ url = '' }, response) => response.writeHead(respond(url)).end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

test('the environment of a part is that of the start, with the settings of this start', () => {
  const decided = { databaseUrl: 'postgres://x', temporalAddress: '127.0.0.1:7233' };
  const settled = {
    DATABASE_URL: 'postgres://x',
    TEMPORAL_ADDRESS: '127.0.0.1:7233',
    PORT: '3000',
    BASE_URL: 'http://localhost:3000',
    API_URL: 'http://localhost:3000',
    COURANT_HOME: '/home',
    SANDBOX_PORT: '4010',
    SANDBOX_STATE: '/home/sandbox.json',
  };
  assert.deepEqual(buildPartEnvironment(SETTINGS, decided, { PORT: '1', LOG_LEVEL: 'warn' }), {
    NODE_OPTIONS: '--max-semi-space-size=8',
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
    ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1:4010,localhost:4010',
    TEMPORAL_UI_URL: 'http://localhost:8233/namespaces/default',
    NODE_COMPILE_CACHE: '/home/cache/node',
    LOG_LEVEL: 'warn',
    ...settled,
  });
  const elsewhere = readSettings({ COURANT_HOME: '/home', TEMPORAL_ADDRESS: 'temporal.example:7233' }, '/');
  const chosen = { ALLOW_PRIVATE_DESTINATIONS: 'true', NODE_OPTIONS: '--inspect', NODE_COMPILE_CACHE: '/tmp/cache' };
  const environment = buildPartEnvironment(elsewhere, decided, chosen);
  assert.equal('TEMPORAL_UI_URL' in environment, false);
  assert.deepEqual({ ...environment, ...chosen }, environment);
});

test('our own programs run in the repository and end on SIGTERM', () => {
  const common = { stopSignal: 'SIGTERM', stopTimeoutMs: 4_500 };
  const command = (source: string) => ({
    ...{ file: process.execPath, args: [`dist/${source}`], env: { NAME: 'value' }, cwd: '/srv' },
  });
  const sandbox = omitChecks(buildSandboxPart(SETTINGS, PROGRAMS));
  assert.deepEqual(sandbox, { ...common, name: 'sandbox', command: command('sandbox/main.ts'), stopTimeoutMs: 700 });
  const api = omitChecks(buildApiPart(SETTINGS, PROGRAMS));
  assert.deepEqual(api, { ...common, name: 'api', command: command('api/app/main.ts') });
  const worker = omitChecks(buildWorkerPart(SETTINGS, PROGRAMS));
  const env = { NAME: 'value', ALIVE_FILE: '/home/worker-alive' };
  const background = { ...command('worker/main.ts'), env, niceness: 10 };
  assert.deepEqual(worker, { ...common, name: 'worker', command: background });
});

test('PostgreSQL listens locally, and ends with its fast shutdown', () => {
  const part = omitChecks(buildPostgresPart(CLUSTER, 5433));
  const settings = ['listen_addresses=127.0.0.1', 'port=5433', 'unix_socket_directories=', 'max_connections=200'];
  const flags = [...settings, 'shared_buffers=64MB', 'timezone=UTC', 'log_timezone=UTC'].flatMap((text) => [
    '-c',
    text,
  ]);
  const command = {
    ...{ file: '/bin/postgres', args: ['-D', '/home/postgres', ...flags] },
    ...{ env: buildPostgresEnvironment(), cwd: '/home/postgres', account: { uid: 7, gid: 8 } },
  };
  assert.deepEqual(part, { name: 'postgres', command, stopSignal: 'SIGINT', stopTimeoutMs: 2_300 });
  const prefixed = buildPostgresCommand({ ...CLUSTER, prefix: ['setpriv', '--x'] }, { port: 5433, durable: true });
  assert.deepEqual(prefixed, {
    ...{ ...command, file: 'setpriv', args: ['--x', '/bin/postgres', ...command.args], account: undefined },
  });
  const { args } = buildPostgresCommand(CLUSTER, { port: 5433, durable: false });
  const volatile = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off'];
  const log = ['min_wal_size=64MB', 'max_wal_size=256MB'];
  assert.deepEqual(args, [...command.args, ...[...volatile, ...log].flatMap((text) => ['-c', text])]);
});

test('PostgreSQL does not inherit the settings of a developer’s client', (t) => {
  process.env.PGDATA = '/elsewhere';
  t.after(() => delete process.env.PGDATA);
  const { PATH, PGDATA, LC_ALL } = buildPostgresEnvironment();
  assert.deepEqual({ PATH, PGDATA, LC_ALL }, { PATH: process.env.PATH, PGDATA: undefined, LC_ALL: 'C' });
});

test('the superuser and the service have their own addresses', () => {
  const build = (role: 'postgres' | 'courant', database: string) =>
    buildClusterUrl(CLUSTER, { port: 5433, role, database });
  assert.equal(build('postgres', 'template1'), 'postgres://postgres:super@127.0.0.1:5433/template1');
  assert.equal(build('courant', 'courant'), 'postgres://courant:own@127.0.0.1:5433/courant');
});

const TUNED = [
  ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'],
  ...[
    'history.transferProcessorMaxPollRPS=2000',
    'history.timerProcessorMaxPollRPS=2000',
    'history.visibilityProcessorMaxPollRPS=2000',
    'matching.numTaskqueueReadPartitions=1',
    'matching.numTaskqueueWritePartitions=1',
  ].flatMap((value) => ['--dynamic-config-value', value]),
];

test('Temporal keeps its state in the home, and has a lower priority', (t) => {
  process.env.TEMPORAL_NAMESPACE = 'elsewhere';
  t.after(() => delete process.env.TEMPORAL_NAMESPACE);
  const part = omitChecks(buildTemporalPart('/bin/temporal', SETTINGS));
  const { env, ...command } = part.command;
  assert.deepEqual([env.PATH, env.TEMPORAL_NAMESPACE], [process.env.PATH, undefined]);
  const base = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', '7233', '--log-level', 'warn'];
  assert.deepEqual(
    { ...part, command },
    {
      ...{ name: 'temporal', stopSignal: 'SIGTERM', stopTimeoutMs: 1_500 },
      command: {
        ...{ file: '/bin/temporal', cwd: '/home', niceness: 10 },
        args: [...base, '--ui-port', '8233', '--db-filename', '/home/temporal.db', ...TUNED],
      },
    },
  );
  const inMemory = { program: '/bin/temporal', port: 7233, uiPort: null, stateFile: null, folder: '/home' };
  assert.deepEqual(buildTemporalCommand(inMemory).args, [...base, '--headless', ...TUNED]);
});

test('the sandbox and the API are ready when their pages respond with 200', async (t) => {
  const paths: string[] = [];
  const answers = [503, 200];
  const port = await startServer(t, (path) => {
    paths.push(path);
    return answers.shift() ?? 500;
  });
  const env = { PORT: `${port}`, SANDBOX_PORT: `${port}`, HOST: '127.0.0.1' };
  const api = buildApiPart(readSettings({ PORT: env.PORT }, '/'), PROGRAMS);
  const sandbox = buildSandboxPart(readSettings({ SANDBOX_PORT: env.SANDBOX_PORT }, '/'), PROGRAMS);
  await api.waitUntilReady(watch());
  answers.push(200);
  await sandbox.waitUntilReady(watch());
  // A probe only requires a response.
  await api.probe(AbortSignal.timeout(5_000));
  await sandbox.probe(AbortSignal.timeout(5_000));
  assert.deepEqual(paths, ['/health/ready', '/health/ready', '/log', '/health/live', '/']);
  await assert.rejects(api.probe(AbortSignal.abort()), { name: 'AbortError' });
  await assert.rejects(api.waitUntilReady(watch(AbortSignal.abort(new Error('it ended')))), { message: 'it ended' });
});

test('the worker is ready when it prints so, and alive while it touches its file', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'courant-parts-'));
  t.after(() => rmSync(home, { recursive: true }));
  const worker = buildWorkerPart(readSettings({ COURANT_HOME: home }, '/'), PROGRAMS);
  const texts: string[] = [];
  await worker.waitUntilReady({ ...watch(), waitForLine: async (text) => void texts.push(text) });
  assert.deepEqual(texts, ['worker ready']);
  const { signal } = new AbortController();
  await assert.rejects(worker.probe(signal), { code: 'ENOENT' });
  const file = join(home, 'worker-alive');
  writeFileSync(file, '');
  await worker.probe(signal);
  const longAgo = new Date(Date.now() - 10_000);
  utimesSync(file, longAgo, longAgo);
  await assert.rejects(worker.probe(signal), { message: `${file} is old` });
});
