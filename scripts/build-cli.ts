/**
 * `npm run build:cli`: bundles the command line into one file for Node 20.0.0 without dependencies
 * and collects licences. Prints its size, because each start reads all of it. The file is CommonJS:
 * Node offers the V8 code cache, which the launcher uses, only for scripts.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { escapeNonAscii } from '../temporal/escape-non-ascii.ts';
import { createLazyModules } from './cli/lazy-modules.ts';
import { collectLicences } from './cli/licences.ts';
import {
  createBundleSplit,
  createFirstLinker,
  createRestExtractor,
  REST_ENTRY,
  recordFirstModules,
} from './cli/split-bundle.ts';
import { updateFile } from './replace-file.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const CLI_BUNDLE = join(ROOT, 'cli/dist/courant.cjs');
const LICENCES = join(ROOT, 'cli/dist/LICENSES.txt');
/**
 * The package for `npm install`. Each server offers it, so that users need not trust a name in a
 * registry.
 */
const CLI_PACKAGE = join(ROOT, 'cli/dist/courant.tgz');

/** Large packages that the command line does not need. An import could add one unintentionally. */
const UNWANTED = ['shiki', '@shikijs/core', 'piscina', 'fastify', 'pg', 'undici'];

export interface CliBuild {
  bytes: number;
  /** Sorted by size, largest first. */
  packages: { name: string; bytes: number }[];
}

/**
 * Builds in memory and replaces the file only if it changed, so that other processes never read a
 * partial file.
 */
export async function buildCli(): Promise<CliBuild> {
  const split = createBundleSplit();
  // The first build finds the modules of the first part and the entries of the rest. Then it runs
  // again, with links to the modules that the rest needs.
  const first = async () => bundle(['cli/main.ts'], createRestExtractor(ROOT, split));
  recordFirstModules(split, (await first()).metafile);
  const rest = await bundle([REST_ENTRY], createFirstLinker(ROOT, split));
  const results = [await first(), rest];
  const metafile = joinMetafiles(results.map((result) => result.metafile));
  const packages = weighPackages(metafile);
  const unwanted = packages.filter(({ name }) => UNWANTED.includes(name)).map(({ name }) => name);
  if (unwanted.length > 0)
    throw new Error(`The command line must not contain ${unwanted.join(', ')}. Remove the import.`);
  updateFile(LICENCES, collectLicences(listFolders(metafile)));
  // The launcher reads the file as one byte per character.
  const text = joinTexts(results.map(({ outputFiles: [file] }) => escapeNonAscii(file?.text ?? '')));
  updateFile(CLI_BUNDLE, text);
  return { bytes: text.length, packages };
}

/** Bundles one of the two parts. */
function bundle(entryPoints: string[], split: Plugin) {
  return build({
    absWorkingDir: ROOT,
    entryPoints,
    outfile: CLI_BUNDLE,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.0',
    minify: true,
    // One package uses `require`, the others `import`. Without the alias acorn would be bundled
    // twice.
    alias: { acorn: join(ROOT, 'node_modules/acorn/dist/acorn.mjs') },
    // For packages that create a `require` from it, which accepts a path as well.
    define: { 'import.meta.url': '__filename' },
    legalComments: 'none',
    plugins: [split, createLazyModules(ROOT)],
  });
}

function joinMetafiles(metafiles: Metafile[]): Pick<Metafile, 'outputs'> {
  return {
    outputs: Object.fromEntries(
      metafiles.map(({ outputs }, part) => [part, Object.values(outputs)[0]]),
    ) as Metafile['outputs'],
  };
}

/**
 * The first line is for the launcher: the name of the code cache, which fits this exact text, and
 * the length of the first part.
 */
function joinTexts(texts: string[]): string {
  const [first = '', rest = ''] = texts.map((text, part) => {
    const other = part === 0 ? 'rest' : 'first';
    return `(function (require, module, exports, __filename, __dirname, ${other}) {${text}\n})\n`;
  });
  const id = createHash('sha256').update(first).update(rest).digest('hex').slice(0, 16);
  return `//${id} ${String(first.length).padStart(12)}\n${first}${rest}`;
}

function weighPackages(metafile: Pick<Metafile, 'outputs'>): { name: string; bytes: number }[] {
  const weights = new Map<string, number>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      const name = readPackage(path)?.name;
      if (name !== undefined) weights.set(name, (weights.get(name) ?? 0) + bytesInOutput);
    }
  }
  return [...weights].map(([name, bytes]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes);
}

function readPackage(path: string): { name: string; folder: string } | null {
  const match = /^([^:]*node_modules\/)((?:@[^/]+\/)?[^/]+)\//.exec(path);
  return match?.[1] === undefined || match[2] === undefined ? null : { name: match[2], folder: match[1] + match[2] };
}

/** Lists the folders of all packages in the bundle. */
function listFolders(metafile: Pick<Metafile, 'outputs'>): string[] {
  const paths = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return [...new Set(paths.flatMap((path) => readPackage(path)?.folder ?? []))].map((folder) => join(ROOT, folder));
}

/** Packs the build like `npm publish`. */
export function packCli(): void {
  const folder = mkdtempSync(join(CLI_PACKAGE, '../pack-'));
  try {
    const args = ['pack', '--ignore-scripts', '--json', `--pack-destination=${folder}`, join(ROOT, 'cli')];
    const output = execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [packed] = JSON.parse(output) as { filename: string }[];
    renameSync(join(folder, packed?.filename ?? ''), CLI_PACKAGE);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const { bytes, packages } = await buildCli();
  packCli();
  const heaviest = packages.slice(0, 5).map(({ name, bytes: weight }) => `${name} ${Math.round(weight / 1024)} KB`);
  process.stdout.write(`cli/dist/courant.cjs: ${Math.round(bytes / 1024)} KB (${heaviest.join(', ')}, …)\n`);
}
