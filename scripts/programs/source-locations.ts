/**
 * Preserves source locations in the bundle: files that a module reads are resolved from its
 * original path in the repository. Threads are bundled too and resolved beside the bundle file that
 * starts them.
 */
import { readFile } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';

const NAMES = /\bimport\.meta\.(?:url|main)\b|\b__dirname\b|\b__filename\b/;
/** Not replaced in `.mjs`, where only strings contain them: a grammar of CoffeeScript does. */
const COMMON_JS = /\b(__filename|__dirname)\b/g;
const THREAD = /new URL\('(?<path>\.[^']*\/worker\.ts)', import\.meta\.url\)/g;
/** Defined by the preamble of every file of the bundle. */
const LOCATE = '$place';

/**
 * `folder` is the folder of the bundle in the repository. Defines `require` for CommonJS packages
 * outside the bundle.
 */
export function buildPreamble(folder: string): string {
  const root = '../'.repeat(folder.split('/').length);
  return [
    `import { createRequire as $createRequire } from 'node:module';`,
    `import { fileURLToPath as $toPath } from 'node:url';`,
    'const require = $createRequire(import.meta.url);',
    `const ${LOCATE} = (path) => new URL(\`${root}\${path}\`, import.meta.url).href;`,
    `${LOCATE}.path = (path) => $toPath(${LOCATE}(path));`,
  ].join('\n');
}

/**
 * `nameThread` maps the source of a thread to its file in the bundle. Both are relative to `root`.
 */
export function preserveSourceLocations(root: string, nameThread: (source: string) => string): Plugin {
  return {
    name: 'places',
    setup({ onLoad }) {
      onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (!NAMES.test(text)) return null;
        const source = relative(root, path).split(sep).join('/');
        const contents = source.startsWith('node_modules/') ? text : linkThreads(text, source, nameThread);
        return { contents: writeLocations(contents, source), loader: path.endsWith('ts') ? 'ts' : 'js' };
      });
    },
  };
}

function linkThreads(text: string, importer: string, nameThread: (source: string) => string): string {
  return text.replaceAll(THREAD, (_, path: string) => {
    const source = new URL(path, `file:///${importer}`).pathname.slice(1);
    return `new URL(${JSON.stringify(`./${nameThread(source)}`)}, $here)`;
  });
}

function writeLocations(text: string, source: string): string {
  return text
    .replaceAll(/\bimport\.meta\.url\b/g, `${LOCATE}(${JSON.stringify(source)})`)
    .replaceAll(/\bimport\.meta\.main\b/g, 'false')
    .replaceAll('$here', 'import.meta.url')
    .replaceAll(COMMON_JS, (_, name: string) => {
      if (source.endsWith('.mjs')) return name;
      return `${LOCATE}.path(${JSON.stringify(name === '__filename' ? source : dirname(source))})`;
    });
}
