/**
 * The product on several machines: two APIs and two workers, with a PostgreSQL and a Temporal
 * server that a test may kill.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { registerSearchAttributes } from '../../../temporal/visibility/search-attributes.ts';
import { type ApiProcess, prepareApi } from '../../api/support/api-process.ts';
import { type OwnPostgres, startOwnPostgres } from '../../support/database/own-postgres.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { prepareWorker, type WorkerProcess } from '../../support/delivery/worker-process.ts';
import { type Restartable, startTemporal } from '../../walk/processes.ts';

export interface Cluster {
  /** The sandbox, the database and the keys. Its own API is closed. */
  world: DeliveryWorld;
  apis: readonly ApiProcess[];
  workers: readonly WorkerProcess[];
  postgres: OwnPostgres;
  temporal: Restartable;
  close(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const closeOne of closers.reverse()) await closeOne();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), 'courant-cluster-'));
    closers.push(() => rmSync(folder, { recursive: true, force: true }));
    const postgres = await startOwnPostgres();
    closers.push(() => postgres.close());
    const temporal = await startTemporal(folder);
    closers.push(() => temporal.close());
    const { address } = temporal;
    const connection = await Connection.connect({ address });
    closers.push(() => connection.close());
    await registerSearchAttributes(connection, 'default');
    const client = new Client({ connection });
    const api = { databaseUrl: postgres.url };
    const world = await startDeliveryWorld({ worker: false, api, temporal: { address, client, connection } });
    closers.push(() => world.close());
    await world.api.app.close();
    const like = world.api;
    const apis = await Promise.all([1, 2].map(() => prepareApi({ like, temporal: address })));
    const env = { DELIVERY_PACING: 'off', LATE_REQUEST_SECONDS: '1' };
    const workers = [1, 2].map(() => prepareWorker(world, { temporal: address, env }));
    for (const server of [...apis, ...workers]) {
      closers.push(() => server.kill());
      await server.start();
    }
    return { world, apis, workers, postgres, temporal, close };
  } catch (error) {
    await close();
    throw error;
  }
}
