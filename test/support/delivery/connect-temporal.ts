import { Connection } from '@temporalio/client';
import { buildConnectionOptions } from '../../../temporal/connection.ts';
import { readTemporalAddress } from '../environment.ts';

/** Connects to the Temporal server of the tests, with the options of API and worker. */
export function connectToTemporal(): Promise<Connection> {
  return Connection.connect(buildConnectionOptions({ connectionOptions: { address: readTemporalAddress() } }));
}
