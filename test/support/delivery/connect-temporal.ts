import { Connection } from '@temporalio/client';
import { buildConnectionOptions } from '../../../temporal/connection.ts';
import { readTemporalAddress } from '../environment.ts';

/** Connects to the Temporal server of the tests like the API and the worker. */
export function connectToTemporal(): Promise<Connection> {
  return Connection.connect(buildConnectionOptions({ connectionOptions: { address: readTemporalAddress() } }));
}
