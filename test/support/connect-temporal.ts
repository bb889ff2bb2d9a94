import { Connection } from '@temporalio/client';
import { buildConnectionOptions } from '../../temporal/connection.ts';
import { readTemporalAddress } from './environment.ts';

/** To the tests' Temporal server, as the API and the worker connect. */
export function connectToTemporal(): Promise<Connection> {
  return Connection.connect(buildConnectionOptions({ connectionOptions: { address: readTemporalAddress() } }));
}
