/**
 * Preserves source locations in the bundle: files that a module reads are resolved from its
 * original path in the repository. Threads are bundled too and resolved beside the bundle file that
 * starts them.
 */
import { readFile } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';

const NAMES = /\bimport\.meta\.(?:url|main)\b|\b__dirname\b|\b__filename\b/;
const THREAD = /new URL\('(?<path>\.[^']*\/worker\.ts)', import\.meta\.url\)/g;
/** Defined by the preamble of every file of the bundle. */
const PLACE = '$place';

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
    `const ${PLACE} = (path) => new URL(\`${root}\${path}\`, import.meta.url).href;`,
    `${PLACE}.path = (path) => $toPath(${PLACE}(path));`,
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
        const place = relative(root, path).split(sep).join('/');
        const contents = place.startsWith('node_modules/') ? text : linkThreads(text, place, nameThread);
        return { contents: writePlaces(contents, place), loader: path.endsWith('ts') ? 'ts' : 'js' };
      });
    },
  };
}

function linkThreads(text: string, place: string, nameThread: (source: string) => string): string {
  return text.replaceAll(THREAD, (_, path: string) => {
    const source = new URL(path, `file:///${place}`).pathname.slice(1);
    return `new URL(${JSON.stringify(`./${nameThread(source)}`)}, $here)`;
  });
}

function writePlaces(text: string, place: string): string {
  return text
    .replaceAll(/\bimport\.meta\.url\b/g, `${PLACE}(${JSON.stringify(place)})`)
    .replaceAll(/\bimport\.meta\.main\b/g, 'false')
    .replaceAll('$here', 'import.meta.url')
    .replaceAll(/\b__filename\b/g, `${PLACE}.path(${JSON.stringify(place)})`)
    .replaceAll(/\b__dirname\b/g, `${PLACE}.path(${JSON.stringify(dirname(place))})`);
}
