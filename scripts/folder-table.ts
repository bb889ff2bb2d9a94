/**
 * Writes the table of folders in CONTRIBUTING.md from `.dependency-cruiser.cjs`. With `--check`,
 * fails if the table is outdated or a folder is missing.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Folder {
  contains: string;
  imports?: string[];
}

const BEGIN = '<!-- folders -->\n';
const END = '<!-- /folders -->\n';
const path = new URL('../CONTRIBUTING.md', import.meta.url);
const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as { folders: Record<string, Folder> };

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
const folders = new Set(files.flatMap((file) => /^([^./][^/]*)\//.exec(file)?.[1] ?? []));
const missing = [...folders].filter((name) => !Object.hasOwn(config.folders, name));
const text = readFileSync(path, 'utf8');
const [before = '', rest = ''] = text.split(BEGIN);
const [, after = ''] = rest.split(END);
const written = `${before}${BEGIN}${buildTable(config.folders)}${END}${after}`;

if (missing.length > 0) fail(`.dependency-cruiser.cjs does not describe ${missing.join(', ')}.`);
else if (!process.argv.includes('--check')) writeFileSync(path, written);
else if (written !== text)
  fail('The table of folders in CONTRIBUTING.md is outdated. Run node scripts/folder-table.ts.');

function buildTable(described: Record<string, Folder>): string {
  const rows = Object.entries(described).map(([name, { contains, imports }]) => {
    const code = (imports ?? []).map((imported) => `\`${imported}\``).join(', ');
    return `| \`${name}/\` | ${contains} | ${imports ? code || 'npm packages only' : 'everything'} |\n`;
  });
  return `| folder | contains | may import |\n|---|---|---|\n${rows.join('')}`;
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
