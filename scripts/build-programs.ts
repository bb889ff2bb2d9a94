/**
 * `node scripts/build-programs.ts`: bundles the processes of `npm start` into `dist/programs`. From
 * sources, a start of the API reads and compiles 3,600 files and keeps them in memory; the bundle
 * has a few files with only the used code. Packages with native programs stay outside.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { replaceFile, updateFile } from './replace-file.ts';
import { BUNDLE, LIST, nameProgram } from './start/programs.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, BUNDLE);
/** Processes, the demo, and all threads. */
const PROGRAMS = [
  'api/app/main.ts',
  'worker/main.ts',
  'sandbox/main.ts',
  'scripts/start/demo/demonstrate.ts',
  'api/articles/cards/worker.ts',
  'api/documents/worker.ts',
  'destinations/format/worker.ts',
  'sources/conversion/worker.ts',
];
/**
 * Packages that load native code or locate their own files, packages that must share an instance
 * with them, and optional ones.
 */
const EXTERNAL_PACKAGES = ['@temporalio/*', 'argon2', '@resvg/resvg-js', 'pg-native', 'esbuild'];
/** The bundle also depends on the versions of the packages and on this script. */
const OTHER_SOURCES = ['package-lock.json', 'scripts/build-programs.ts'];
/** No process runs that long without another start. */
const MAX_UNUSED_MS = 7 * 86_400_000;

const LOCATED = /\bimport\.meta\.(?:url|main)\b|\b__dirname\b|\b__filename\b/;
/** Not replaced in `.mjs`, where only strings contain them: a grammar of CoffeeScript does. */
const COMMON_JS = /\b(__filename|__dirname)\b/g;
const THREAD = /new URL\('(?<path>\.[^']*\/worker\.ts)', import\.meta\.url\)/g;
/** Each file begins with these definitions. CommonJS packages outside the bundle need `require`. */
const PREAMBLE = [
  `import { createRequire as $createRequire } from 'node:module';`,
  `import { fileURLToPath as $toPath } from 'node:url';`,
  'const require = $createRequire(import.meta.url);',
  `const $locate = (path) => new URL(\`${relative(FOLDER, ROOT)}/\${path}\`, import.meta.url).href;`,
].join('\n');

/**
 * Files that a module reads are resolved from its original path in the repository. Threads are
 * resolved beside the file of the bundle that starts them.
 */
const preserveLocations: Plugin = {
  name: 'preserve-locations',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!LOCATED.test(text)) return null;
      const source = relative(ROOT, path);
      const url = `$locate(${JSON.stringify(source)})`;
      const folder = `$locate(${JSON.stringify(dirname(source))})`;
      const contents = text
        .replaceAll(THREAD, (found, thread: string) =>
          source.startsWith('node_modules/')
            ? found
            : `new URL(${JSON.stringify(`./${nameProgram(join(dirname(source), thread))}`)}, $here)`,
        )
        .replaceAll(/\bimport\.meta\.url\b/g, url)
        .replaceAll(/\bimport\.meta\.main\b/g, 'false')
        .replaceAll('$here', 'import.meta.url')
        .replaceAll(COMMON_JS, (_, name: string) =>
          path.endsWith('.mjs') ? name : `$toPath(${name === '__filename' ? url : folder})`,
        );
      return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' };
    });
  },
};

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
  plugins: [preserveLocations],
  banner: { js: PREAMBLE },
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
replaceFile(join(FOLDER, LIST), `${JSON.stringify([...sources, ...OTHER_SOURCES])}\n`);
