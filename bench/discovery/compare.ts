/**
 * Measures requests per second for an address, compared with a bare Fastify route that sends a
 * buffer of equal size in the same run.
 */
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../scripts/start/ports.ts';
import { printFigure } from '../figure.ts';
import type { BenchServices } from '../publish/services.ts';
import { measureRate } from './load.ts';

export interface CompareOptions {
  headers: Record<string, string>;
  /** Sends the ETag of the response. */
  isNotModified?: boolean;
}

/**
 * Alternates with the bare server, so that other work of the machine affects both. Uses the median
 * round.
 */
const ROUNDS = 5;

/** Prints the measurements and returns our rate; null if there is no such page. */
export type Compare = (path: string, asked: CompareOptions) => Promise<number | null>;

/** Starts the bare server among the services. Measures each address for `ms`. */
export async function startComparison(services: BenchServices, ms: number): Promise<Compare> {
  const barePort = await findFreePort();
  await services.start('bare', {
    file: process.execPath,
    args: [fileURLToPath(new URL('./bare.ts', import.meta.url))],
    env: { ...process.env, PORT: String(barePort) },
    cwd: process.cwd(),
  });
  return async (path, { headers, isNotModified = false }) => {
    const url = `${services.apiUrl}${path}`;
    const answer = await fetch(url, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) return null;
    const bytes = isNotModified ? 0 : Number(answer.headers.get('content-length'));
    const conditions = isNotModified ? { 'if-none-match': answer.headers.get('etag') ?? '' } : {};
    const rounds: { ours: number; bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const ours = await measureRate(url, { headers: { ...headers, ...conditions }, ms: ms / ROUNDS });
      const bare = await measureRate(`http://127.0.0.1:${barePort}/${bytes}`, { headers, ms: ms / ROUNDS });
      rounds.push({ ours, bare });
    }
    rounds.sort((a, b) => a.ours / a.bare - b.ours / b.bare);
    const { ours, bare } = rounds[Math.floor(ROUNDS / 2)] ?? { ours: Number.NaN, bare: Number.NaN };
    const what = isNotModified ? `${path} as 304` : `${path}, ${bytes} bytes`;
    console.log(`  ${what}: ${Math.round(ours)}/s, bare ${Math.round(bare)}/s`);
    printFigure({
      what,
      value: (ours / bare) * 100,
      unit: '% of bare',
      goal: { atLeast: isNotModified ? 80 : 60 },
      spread: rounds.map((round) => (round.ours / round.bare) * 100),
    });
    return ours;
  };
}
