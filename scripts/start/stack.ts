/** Starts the parts, in parallel if they are independent, and stops them in order. */
import { checkStartConditions } from './check-start-conditions.ts';
import { endOrphans, type LockedHome } from './home.ts';
import { migrate } from './migrate.ts';
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
import { type Part, type SupervisedPart, supervise } from './processes/supervise.ts';
import { providePrograms } from './programs.ts';
import type { StartSettings } from './settings.ts';
import { resolveTemporalPath } from './temporal/program.ts';

export interface Stack {
  databaseUrl: string;
  temporalAddress: string;
  /** Returns the file to run for a source. Both are relative to the repository. */
  find: (source: string) => string;
  /** Returns the pid of a part; null if it runs elsewhere. */
  pid(name: string): number | null;
}

export interface StackOptions {
  settings: StartSettings;
  home: LockedHome;
  root: string;
  env: NodeJS.ProcessEnv;
  print: (line: string) => void;
  onRestart: () => void;
  aborted: AbortSignal;
}

export type StackControl = ReturnType<typeof createStack>;

/**
 * Clients stop before their servers: API and worker complete their work while the database still
 * runs.
 */
const STOP_ORDER = [['api', 'worker'], ['sandbox'], ['temporal'], ['postgres']];

export function createStack(options: StackOptions) {
  const { settings, home, root, print, aborted } = options;
  const { postgresPort, temporalPort } = settings;
  const temporalAddress = settings.temporalAddress ?? `127.0.0.1:${temporalPort}`;
  const running = new Map<string, SupervisedPart>();

  const run = async (part: Part) => {
    const started = Date.now();
    running.set(part.name, await supervise(part, options));
    print(`${part.name} ready (${((Date.now() - started) / 1_000).toFixed(1)} s)`);
  };

  const buildEnvironment = (databaseUrl: string) =>
    buildPartEnvironment(settings, { databaseUrl, temporalAddress }, options.env);

  const startPostgres = async (): Promise<string> => {
    const cluster = await prepareCluster(home.folder, print);
    await run(buildPostgresPart(cluster, postgresPort));
    await ensureServiceDatabase(cluster, postgresPort);
    return buildClusterUrl(cluster, { port: postgresPort, role: 'courant', database: 'courant' });
  };

  const startDatabase = async (): Promise<string> => {
    const place = settings.databaseUrl ? 'The database of DATABASE_URL' : home.folder;
    const databaseUrl = settings.databaseUrl ?? (await startPostgres());
    await migrate(databaseUrl, { place, env: buildEnvironment(databaseUrl), root, aborted });
    return databaseUrl;
  };

  const startTemporal = async (): Promise<void> => {
    if (settings.temporalAddress) return;
    const program = await resolveTemporalPath({ home: home.folder, env: options.env, announce: print, aborted });
    await run(buildTemporalPart(program, settings));
  };

  return {
    /** Starts all parts. Rejects with the first error after all starting parts have ended. */
    async start(): Promise<Stack> {
      if (home.orphans.size > 0) {
        print(`An earlier start did not stop its processes; ending ${[...home.orphans.keys()].join(', ')}`);
        await endOrphans(home);
      }
      await checkStartConditions(settings);
      const programs = providePrograms(root, aborted);
      const provide = async (databaseUrl: string) => ({
        find: await programs,
        env: buildEnvironment(databaseUrl),
        root,
      });
      const isNew = !settings.databaseUrl && !hasCluster(home.folder);
      const database = startDatabase();
      // Nothing else starts on the data of an earlier version.
      if (!isNew) await awaitAll([programs, database]);
      const temporal = startTemporal();
      // The sandbox needs no database. It has the same environment as the others.
      const sandbox = provide('').then((node) => run(buildSandboxPart(settings, node)));
      const api = database.then(async (url) => run(buildApiPart(settings, await provide(url))));
      const worker = awaitAll([database, temporal]).then(async () =>
        run(buildWorkerPart(settings, await provide(await database))),
      );
      await awaitAll([programs, temporal, database, sandbox, api, worker]);
      return {
        databaseUrl: await database,
        temporalAddress,
        find: await programs,
        pid: (name) => running.get(name)?.pid() ?? null,
      };
    },
    /** Stops the running parts: api and worker, sandbox, temporal, postgres. */
    async stop(): Promise<void> {
      for (const names of STOP_ORDER) await Promise.all(names.map((name) => running.get(name)?.stop()));
    },
    /** Kills all parts at once. */
    kill(): void {
      for (const part of running.values()) part.kill();
    },
  };
}

/** Like `Promise.all`, but rejects when all have settled, so that nothing starts during a stop. */
async function awaitAll(promises: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
