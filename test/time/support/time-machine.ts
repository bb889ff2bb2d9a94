/**
 * A Temporal server that skips idle time. The same clock applies to activities, API, sandbox, and
 * `clock_timestamp()` in the database. One per test file, because a stalled clock does not recover.
 */
import proto from '@temporalio/proto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type {
  ActivityInterceptorsFactory,
  NativeConnectionPlugin,
  WorkerOptions,
  WorkerPlugin,
} from '@temporalio/worker';
import pg from 'pg';
import { explainAbsence, findTool } from '../../../scripts/check/set-up.ts';
import { SEARCH_ATTRIBUTES } from '../../../temporal/names.ts';
import { createTestDatabase, type TestDatabase } from '../../support/environment.ts';
import { installQuietRuntime } from '../../support/quiet-runtime.ts';

const path = findTool('TIME_SKIPPING_SERVER') ?? '';

/** For the options of a test: false, or the reason to skip it. */
export const skip = path === '' && explainAbsence('TIME_SKIPPING_SERVER');

export interface TimeMachine {
  environment: TestWorkflowEnvironment;
  database: TestDatabase;
  now(): Date;
  /** Advances time, with everything that becomes due. */
  pass(duration: string | number): Promise<void>;
  close(): Promise<void>;
}

export async function startTimeMachine(): Promise<TimeMachine> {
  installQuietRuntime();
  let aheadMs = 0;
  const follow = async () => {
    aheadMs = (await environment.currentTimeMs()) - Date.now();
    await client.query('update test_clock.ahead set by = make_interval(secs => $1)', [aheadMs / 1_000]);
  };
  const environment = await startServer(new ClockPlugin(follow));
  await addSearchAttributes(environment);
  const database = await createTestDatabase();
  const client = await replaceClock(database.url);
  await follow();
  return {
    environment,
    database,
    now: () => new Date(Date.now() + aheadMs),
    async pass(duration) {
      await environment.sleep(duration as number);
      await follow();
    },
    async close() {
      await environment.teardown();
      await client.end();
      await database.drop();
    },
  };
}

/** This server cannot list its search attributes, which `registerSearchAttributes` needs. */
async function addSearchAttributes({ connection }: TestWorkflowEnvironment): Promise<void> {
  const keyword = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
  const searchAttributes = Object.fromEntries(Object.values(SEARCH_ATTRIBUTES).map(({ name }) => [name, keyword]));
  await connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
}

/** On a busy machine, a Java program may take longer to start than the SDK waits. */
async function startServer(plugin: ClockPlugin): Promise<TestWorkflowEnvironment> {
  const server = { executable: { type: 'existing-path', path } } as const;
  for (let attempt = 1; ; attempt++) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({ server, plugins: [plugin] });
    } catch (error) {
      if (attempt === 10) throw error;
    }
  }
}

/** Time does not advance during an activity, so the clock is read once at its start. */
class ClockPlugin implements WorkerPlugin, NativeConnectionPlugin {
  readonly name = 'test-clock';
  readonly #follow: () => Promise<void>;

  constructor(follow: () => Promise<void>) {
    this.#follow = follow;
  }

  configureWorker(options: WorkerOptions): WorkerOptions {
    const interceptor: ActivityInterceptorsFactory = () => ({
      inbound: {
        execute: async (input, next) => {
          await this.#follow();
          return next(input);
        },
      },
    });
    return { ...options, interceptors: { ...options.interceptors, activity: [interceptor] } };
  }
}

/** Makes new database connections use this clock: its schema precedes that of PostgreSQL. */
async function replaceClock(url: string): Promise<pg.Pool> {
  // Each activity sets the clock. Uses one connection, so that statements run in sequence.
  const client = new pg.Pool({ connectionString: url, max: 1 });
  await client.query(`
    create schema test_clock;
    create table test_clock.ahead (by interval not null);
    insert into test_clock.ahead values (interval '0');
    create function test_clock.clock_timestamp() returns timestamptz language sql volatile
      as 'select pg_catalog.clock_timestamp() + by from test_clock.ahead';
    do $$ begin
      execute format('alter database %I set search_path = test_clock, pg_catalog, public', current_database());
    end $$`);
  return client;
}
