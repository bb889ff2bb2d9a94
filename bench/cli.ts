/**
 * `npm run bench:cli`: measures the command line. Compares a dry run of a 6 KB post with `node -e
 * 0` (goal: 4 times), and forty files at 1,000 per minute with the same files sent by curl (goal:
 * 1.3 times).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCli, CLI_BUNDLE } from '../scripts/build-cli.ts';
import { printFigure } from './figure.ts';
import { quantile } from './measure.ts';
import { type BenchServices, startBenchServices } from './publish/services.ts';

const COURANT = join(CLI_BUNDLE, '../../bin/courant.js');
const FILES = 40;
const RUNS = Number(process.env.BENCH_RUNS ?? 25);
const folder = mkdtempSync(join(tmpdir(), 'courant-bench-cli-'));
const env = { PATH: process.env.PATH, HOME: folder };

try {
  await buildCli();
  measureStart();
  const services = await startBenchServices({ env: { PUBLISH_RATE_PER_MINUTE: '1000' } });
  try {
    measureForty(services);
  } finally {
    await services.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Alternates the commands, so that a busy moment affects all. Drops the first run of each, in which
 * V8 caches the code.
 */
function measureStart(): void {
  const post = write('post.md', `---\ntitle: A post\ntags: [bench]\n---\n\n${writeBody(6_000)}`);
  const commands: Record<string, string[]> = {
    'node -e 0': ['-e', '0'],
    'courant --version': [COURANT, '--version'],
    'courant publish --dry-run, 6 KB': [COURANT, 'publish', '--dry-run', post],
  };
  const times = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]));
  for (let run = 0; run <= RUNS; run += 1) {
    for (const [name, args] of Object.entries(commands)) {
      const ms = time(process.execPath, args);
      if (run > 0) times.get(name)?.push(ms);
    }
  }
  const floor = median(times.get('node -e 0') ?? []);
  for (const [name, all] of times) report(name, median(all), floor);
  const value = median([...times.values()].at(-1) ?? []) / floor;
  printFigure({ what: 'a dry run of 6 KB', value, unit: '× `node -e 0`', goal: { atMost: 4 } });
}

function measureForty(services: BenchServices): void {
  const files = Array.from({ length: FILES }, (_, n) =>
    write(`forty-${n}.md`, `---\ntitle: CLI ${n}\n---\n\n${writeBody(6_000)}`),
  );
  const bodies = files.map((_, n) =>
    write(`forty-${n}.json`, JSON.stringify({ content: `---\ntitle: curl ${n}\n---\n\n${writeBody(6_000)}` })),
  );
  const address = `${services.apiUrl}/api/v1/articles`;
  const headers = ['-H', 'content-type: application/json', '-H', `authorization: Bearer ${services.token}`];
  // Warms up each method by sending its files once. The second time nothing is new for the server.
  const curl = () =>
    bodies.reduce((sum, body) => sum + time('curl', ['-sf', ...headers, '--data-binary', `@${body}`, address]), 0);
  const cli = () =>
    time(process.execPath, [COURANT, 'publish', ...files, '--token', services.token, '--endpoint', services.apiUrl]);
  curl();
  cli();
  const [byCurl, byCli] = [
    [curl(), curl(), curl()],
    [cli(), cli(), cli()],
  ].map(median) as [number, number];
  report(`${FILES} files by curl`, byCurl, byCurl);
  report(`${FILES} files by courant publish`, byCli, byCurl);
  const goal = { atMost: 1.3 };
  printFigure({ what: `${FILES} files`, value: byCli / byCurl, unit: '× by curl', goal });
}

function time(program: string, args: string[]): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args[0]} ended with ${status}: ${stderr}`);
  return performance.now() - begun;
}

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function writeBody(bytes: number): string {
  const paragraph = 'A paragraph of **ordinary** length with `code` and a [link](https://example.org/page) in it.\n\n';
  return paragraph.repeat(Math.ceil(bytes / paragraph.length)).slice(0, bytes);
}

function median(times: number[]): number {
  return quantile(
    times.toSorted((a, b) => a - b),
    0.5,
  );
}

function report(name: string, ms: number, floor: number): void {
  console.log(`${name.padEnd(34)} ${String(ms).padStart(6)} ms  ${(ms / floor).toFixed(2).padStart(5)} x`);
}
