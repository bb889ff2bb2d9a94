/**
 * `node scripts/build-programs.ts`: bundles what `npm start` runs into `dist/programs`. As sources, the API is 3,600 files, each of which is found, read
 * and compiled at a start and kept in memory whole; of the bundle only what is used is left, in a few files. Packages with programs of another
 * language stay where they are.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeOneByte } from '../temporal/one-byte.ts';
import { buildPreamble, keepPlaces } from './programs/places.ts';
import { BUNDLE, LIST, nameProgram, PROGRAMS } from './programs/programs.ts';
import { replaceFile, updateFile } from './replace-file.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, BUNDLE);
/** What loads native code or finds files of its own by their names, with what has to be the same for it; and what is only asked for whether it is there. */
const NOT_BUNDLED = ['@temporalio/*', 'argon2', '@resvg/resvg-js', 'pg-native', 'esbuild'];
/** Nobody runs a program that long without the next start. */
const UNUSED_FOR_MS = 7 * 86_400_000;

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
  // Errors and plugins are known by the names of their functions.
  keepNames: true,
  minifySyntax: true,
  // The text stays in memory, comments and indentation too. Lines stay short enough for the place of an error to say something.
  minifyWhitespace: true,
  lineLimit: 200,
  legalComments: 'none',
  external: NOT_BUNDLED,
  plugins: [keepPlaces(ROOT, nameProgram)],
  banner: { js: buildPreamble(BUNDLE) },
  logLevel: 'error',
});

for (const { path, text } of outputFiles) updateFile(path, writeOneByte(text));
// Programs that run may yet load files of the bundle before this one.
const built = new Set(outputFiles.map(({ path }) => basename(path)).concat(LIST));
for (const name of readdirSync(FOLDER)) {
  const file = join(FOLDER, name);
  if (!built.has(name) && Date.now() - statSync(file).mtimeMs > UNUSED_FOR_MS) rmSync(file);
}
const sources = Object.keys(metafile.inputs).filter((input) => !input.startsWith('node_modules/'));
// Even where it is the same: its time is that of the bundle.
replaceFile(join(FOLDER, LIST), `${JSON.stringify(sources)}\n`);
