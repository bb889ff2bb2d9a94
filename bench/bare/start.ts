/** Starts the peer worker as a separate process. */
import { BACKGROUND_NICENESS } from '../../scripts/start/parts.ts';
import type { BenchServices } from '../publish/services.ts';

export async function startPeers({ start, temporalAddress }: BenchServices): Promise<void> {
  const env = { ...process.env, TEMPORAL_ADDRESS: temporalAddress };
  const args = ['bench/peers/worker.ts'];
  await start('bare', { file: process.execPath, args, env, cwd: process.cwd(), niceness: BACKGROUND_NICENESS });
}
