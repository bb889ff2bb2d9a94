/** Starts a separate Temporal server with other settings, in memory, until `stop`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { launch, stopProcess } from '../../../scripts/start/processes/launch.ts';
import { resolveTemporalPath } from '../../../scripts/start/temporal/program.ts';
import { buildTemporalCommand, waitForTemporal } from '../../../scripts/start/temporal/server.ts';
import { registerSearchAttributes } from '../../../temporal/visibility/search-attributes.ts';
import type { DeliveryWorldOptions } from '../../support/delivery/delivery.ts';

export interface OwnTemporal {
  /** The option of a delivery world. */
  temporal: NonNullable<DeliveryWorldOptions['temporal']>;
  /** Stops responding, like an unreachable server, and keeps its state. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

export async function startOwnTemporal(settings: string[]): Promise<OwnTemporal> {
  const program = await resolveTemporalPath({
    env: process.env,
    announce: (step) => void process.stdout.write(`${step}\n`),
  });
  const folder = mkdtempSync(join(tmpdir(), 'courant-histories-'));
  const port = await findFreePort();
  const command = buildTemporalCommand({ program, port, uiPort: null, stateFile: null, folder });
  for (const setting of settings) command.args.push('--dynamic-config-value', setting);
  const server = await launch(command, join(folder, 'temporal.log'));
  const end = async () => {
    await stopProcess(server.identity, { signal: 'SIGTERM', patienceMs: 4_000 });
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const address = `127.0.0.1:${port}`;
    await waitForTemporal(address, { timeoutMs: 30_000, gone: new AbortController().signal });
    const connection = await Connection.connect({ address });
    await registerSearchAttributes(connection, 'default');
    const nativeConnection = await NativeConnection.connect({ address });
    return {
      temporal: { address, connection, nativeConnection, client: new Client({ connection }) },
      pause: () => void process.kill(server.identity.pid, 'SIGSTOP'),
      resume: () => void process.kill(server.identity.pid, 'SIGCONT'),
      async stop() {
        await nativeConnection.close();
        await connection.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
