/** Closed-loop load over HTTP: each client sends its next request after the last response. */
import { Pool } from 'undici';

export interface Sample {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p95: number;
  failed: number;
  firstFailure: string | null;
}

export interface LoadOptions {
  clients: number;
  seconds: number;
  send: (n: number) => { url: string; headers: Record<string, string>; body: string };
}

export async function measure({ clients, seconds, send }: LoadOptions): Promise<Sample> {
  const pool = new Pool(new URL(send(0).url).origin, { connections: clients, pipelining: 1 });
  const times: number[] = [];
  let failed = 0;
  let firstFailure: string | null = null;
  const started = performance.now();
  const end = started + seconds * 1000;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const { url, headers, body } = send(times.length);
      const begun = performance.now();
      const response = await pool.request({ method: 'POST', path: new URL(url).pathname, headers, body });
      const text = await response.body.text();
      times.push(performance.now() - begun);
      if (response.statusCode < 300) continue;
      failed += 1;
      firstFailure ??= `${response.statusCode} ${text.slice(0, 200)}`;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const took = (performance.now() - started) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: times.length / took, p50: at(0.5), p95: at(0.95), failed, firstFailure };
}
