/** Starts the peer worker as a separate process. */
import { BACKGROUND } from '../../scripts/start/parts.ts';
import type { BenchServices } from '../publish/services.ts';

export async function startPeers({ start, temporalAddress }: BenchServices): Promise<void> {
  const env = { ...process.env, TEMPORAL_ADDRESS: temporalAddress };
  const args = ['bench/bare/worker.ts'];
  await start('bare', { file: process.execPath, args, env, cwd: process.cwd(), niceness: BACKGROUND });
}
