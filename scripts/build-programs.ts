/**
 * `node scripts/build-programs.ts`: bundles the processes of `npm start` into `dist/programs`. From
 * sources, a start of the API reads and compiles 3,600 files and keeps them in memory; the bundle
 * has a few files with only the used code. Packages with native programs stay outside.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUNDLE, LIST, nameProgram, PROGRAMS } from './programs/programs.ts';
import { buildPreamble, preserveSourceLocations } from './programs/source-locations.ts';
import { replaceFile, updateFile } from './replace-file.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, BUNDLE);
/**
 * Packages that load native code or locate their own files, packages that must share an instance
 * with them, and optional ones.
 */
const EXTERNAL_PACKAGES = ['@temporalio/*', 'argon2', '@resvg/resvg-js', 'pg-native', 'esbuild'];
/** No process runs that long without another start. */
const MAX_UNUSED_MS = 7 * 86_400_000;

const { outputFiles, metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: PROGRAMS.map((source) => ({ in: source, out: basename(nameProgram(source), '.js') })),
  outdir: FOLDER,
  bundle: true,
  splitting: true,
  write: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  // Errors and plugins are identified by function names.
  keepNames: true,
  minifySyntax: true,
  // The source text stays in memory, including comments and indentation. Short lines keep error
  // positions useful.
  minifyWhitespace: true,
  lineLimit: 200,
  legalComments: 'none',
  external: EXTERNAL_PACKAGES,
  plugins: [preserveSourceLocations(ROOT, nameProgram)],
  banner: { js: buildPreamble(BUNDLE) },
  logLevel: 'error',
});

for (const { path, text } of outputFiles) updateFile(path, text);
// Running processes may still load files of the previous bundle.
const built = new Set(outputFiles.map(({ path }) => basename(path)).concat(LIST));
for (const name of readdirSync(FOLDER)) {
  const file = join(FOLDER, name);
  if (!built.has(name) && Date.now() - statSync(file).mtimeMs > MAX_UNUSED_MS) rmSync(file);
}
const sources = Object.keys(metafile.inputs).filter((input) => !input.startsWith('node_modules/'));
// Replaced even if unchanged: its time is the time of the bundle.
replaceFile(join(FOLDER, LIST), `${JSON.stringify(sources)}\n`);
