/**
 * `npm run bench [-- publish events]`: runs all benchmarks with goals in sequence and prints one
 * table. Takes an hour on two cores; valid only on an otherwise idle machine. Peers:
 * `bench/README.md`. Exit code 1 if a benchmark fails, not if a goal is missed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { FIGURE_COLUMNS, readFigure } from './figure.ts';

const ALL = 'start publish previews delivery schedule digest events discovery pages cli import load soak'.split(' ');

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !ALL.includes(name));
if (unknown.length > 0) throw new Error(`no such benchmark: ${unknown.join(', ')}; there are ${ALL.join(', ')}`);

const rows: string[] = [];
const broken: string[] = [];
for (const name of chosen.length > 0 ? chosen : ALL) {
  console.log(`\n# ${name}`);
  const child = spawn(process.execPath, [`bench/${name}.ts`], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    const row = readFigure(line);
    if (row !== null) rows.push(row);
  }
  if (child.exitCode === null) await once(child, 'exit');
  if (child.exitCode !== 0) broken.push(name);
}
console.log(`\n| ${FIGURE_COLUMNS.join(' | ')} |\n|${'---|'.repeat(FIGURE_COLUMNS.length)}`);
for (const row of rows) console.log(row);
if (broken.length > 0) {
  console.log(`\nended with an error: ${broken.join(', ')}`);
  process.exitCode = 1;
}
