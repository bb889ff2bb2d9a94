/**
 * `npm run build:cli`: bundles the command line into one CommonJS file for Node 20.0.0 without
 * dependencies, collects the licences, and packs both for `npm install`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { updateFile } from './replace-file.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const CLI_BUNDLE = join(ROOT, 'cli/dist/courant.cjs');
/** Each server offers this package, so that users need not trust a name in a registry. */
const CLI_PACKAGE = join(ROOT, 'cli/dist/courant.tgz');

/** Modules that export functions only, and that a dry run of plain Markdown does not call. */
const LAZY_MODULES =
  /\/(?:format|parse-mdx|emoji-names|toml-fields|override-toml|zoned-time)\.ts$|^(?:fast-string-width|fast-wrap-ansi|decode-named-character-reference)$/;

/** Evaluates some modules on their first call, and leaves out what the command line cannot reach. */
const lazyModules: Plugin = {
  name: 'lazy-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: LAZY_MODULES }, ({ path, resolveDir, namespace }) =>
      namespace === 'lazy' ? null : { path: path.startsWith('.') ? join(resolveDir, path) : path, namespace: 'lazy' },
    );
    onLoad({ filter: /./, namespace: 'lazy' }, async ({ path }) => ({
      // An import of anything but a function fails.
      contents: Object.entries(await import(path))
        .flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
        .map((name) => [name === 'default' ? 'export default' : `export const ${name} =`, `require('${path}').${name}`])
        .map(([start, called]) => `${start} (...given) => ${called}(...given);`)
        .join('\n'),
      resolveDir: ROOT,
    }));
    // gray-matter gets another YAML parser; no command of commander is a separate program.
    onResolve({ filter: /^(?:js-yaml|node:child_process)$/ }, ({ path, importer }) =>
      /node_modules\/(?:commander|gray-matter)\//.test(importer) ? { path, namespace: 'unused' } : null,
    );
    onLoad({ filter: /./, namespace: 'unused' }, () => ({
      contents: 'exports.safeLoad = exports.safeDump = () => undefined;',
    }));
  },
};

/**
 * Builds in memory and replaces the files only if they changed, so that other processes never read a
 * partial file. Returns the size of the bundle.
 */
export async function buildCli(): Promise<number> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['cli/main.ts'],
    outfile: CLI_BUNDLE,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.0',
    minify: true,
    // One package uses `require`, the others `import`. Without the alias acorn is bundled twice.
    alias: { acorn: join(ROOT, 'node_modules/acorn/dist/acorn.mjs') },
    // For packages that create a `require` from it, which accepts a path as well.
    define: { 'import.meta.url': '__filename' },
    legalComments: 'none',
    // Resets the flag of the launcher, so that Node's own modules load from Node's cache.
    banner: { js: "require('node:v8').setFlagsFromString('--lazy');" },
    plugins: [lazyModules],
  });
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  updateFile(join(CLI_BUNDLE, '../LICENSES.txt'), [...new Set(packages)].sort().map(readLicence).join('\n'));
  const text = outputFiles[0]?.text ?? '';
  updateFile(CLI_BUNDLE, text);
  return text.length;
}

function readLicence(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(ROOT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : readFileSync(join(ROOT, folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n\n${'-'.repeat(80)}\n`;
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
  const bytes = await buildCli();
  packCli();
  process.stdout.write(`cli/dist/courant.cjs: ${Math.round(bytes / 1024)} KB\n`);
}
