/** Starts the parts, in parallel if they are independent, and stops them in order. */
import { checkStartConditions } from './check-start-conditions.ts';
import type { LockedHome } from './home.ts';
import { isMigrated, runMigrations } from './migrate.ts';
import {
  buildApiPart,
  buildPartEnvironment,
  buildPostgresPart,
  buildSandboxPart,
  buildTemporalPart,
  buildWorkerPart,
} from './parts.ts';
import { hasCluster, prepareCluster } from './postgres/cluster.ts';
import { buildClusterUrl, ensureServiceDatabase } from './postgres/server.ts';
import { endOrphans } from './processes/orphans.ts';
import { type Part, type SupervisedPart, type SupervisionContext, supervise } from './processes/supervise.ts';
import { providePrograms } from './programs.ts';
import type { StartSettings } from './settings.ts';
import { resolveTemporalPath } from './temporal/program.ts';

export interface Stack {
  databaseUrl: string;
  temporalAddress: string;
  /** Returns the file to run for a source. Both are relative to the repository. */
  find: (source: string) => string;
  /** Returns the pid of a part; null if it runs elsewhere. */
  pid(name: PartName): number | null;
}

type PartName = 'api' | 'worker' | 'sandbox' | 'temporal' | 'postgres';

export interface StackOptions {
  settings: StartSettings;
  home: LockedHome;
  root: string;
  env: NodeJS.ProcessEnv;
  print: (line: string) => void;
  onRestart: () => void;
  aborted: AbortSignal;
}

export interface StackControl {
  /** Starts all parts. Rejects with the first error after all starting parts have ended. */
  start(): Promise<Stack>;
  /** Stops the running parts: api and worker, sandbox, temporal, postgres. */
  stop(): Promise<void>;
  /** Kills all parts at once. */
  kill(): void;
}

export function createStack(options: StackOptions): StackControl {
  const { settings, home, root, print, aborted } = options;
  const running = new Map<PartName, SupervisedPart>();
  const context: SupervisionContext = { home, print, onRestart: options.onRestart, aborted };

  const run = async (name: PartName, part: Part) => {
    const started = Date.now();
    running.set(name, await supervise(part, context));
    print(`${name} ready (${((Date.now() - started) / 1_000).toFixed(1)} s)`);
  };

  const startDatabase = async (): Promise<string> => {
    if (settings.databaseUrl !== null) return settings.databaseUrl;
    const cluster = await prepareCluster(home.folder, print);
    await run('postgres', buildPostgresPart(cluster, settings.postgresPort));
    await ensureServiceDatabase(cluster, settings.postgresPort);
    return buildClusterUrl(cluster, { port: settings.postgresPort, role: 'courant', database: 'courant' });
  };

  const startTemporal = async (): Promise<void> => {
    if (settings.temporalAddress !== null) return;
    const program = await resolveTemporalPath({ home: home.folder, env: options.env, announce: print, aborted });
    await run('temporal', buildTemporalPart(program, settings));
  };

  return {
    async start() {
      await endOrphans(home, print);
      await checkStartConditions(settings);
      const temporalAddress = settings.temporalAddress ?? `127.0.0.1:${settings.temporalPort}`;
      const environment = (databaseUrl: string) =>
        buildPartEnvironment(settings, { databaseUrl, temporalAddress }, options.env);

      const programs = providePrograms(root, { print, aborted });
      const provide = async (databaseUrl: string) => ({ find: await programs, env: environment(databaseUrl), root });
      const isNew = settings.databaseUrl === null && !hasCluster(home.folder);
      const place = settings.databaseUrl === null ? home.folder : 'The database of DATABASE_URL';
      const database = startDatabase().then(async (databaseUrl) => {
        if (!(await isMigrated(databaseUrl, place))) await runMigrations(environment(databaseUrl), root, aborted);
        return databaseUrl;
      });
      // Nothing else starts on the data of an earlier version.
      if (!isNew) await database;
      const temporal = startTemporal();
      // The sandbox needs no database. It has the same environment as the others.
      const sandbox = provide(settings.databaseUrl ?? '').then((nodePrograms) =>
        run('sandbox', buildSandboxPart(settings, nodePrograms)),
      );
      const api = database.then(async (url) => run('api', buildApiPart(settings, await provide(url))));
      const worker = awaitAll([database, temporal]).then(async () =>
        run('worker', buildWorkerPart(settings, await provide(await database))),
      );
      await awaitAll([programs, temporal, database, sandbox, api, worker]);
      return {
        databaseUrl: await database,
        temporalAddress,
        find: await programs,
        pid: (name) => running.get(name)?.pid() ?? null,
      };
    },
    async stop() {
      for (const names of STOP_ORDER) await Promise.all(names.map((name) => running.get(name)?.stop()));
    },
    kill() {
      for (const part of running.values()) part.kill();
    },
  };
}

/**
 * Clients stop before their servers: API and worker complete their work while the database still
 * runs.
 */
const STOP_ORDER: PartName[][] = [['api', 'worker'], ['sandbox'], ['temporal'], ['postgres']];

/**
 * Like `Promise.all`, but rejects only when all have settled, so that nothing starts during a stop.
 */
async function awaitAll(promises: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
