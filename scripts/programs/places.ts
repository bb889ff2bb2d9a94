/**
 * In a bundle, every file still knows where it stood: what it reads beside itself is found from there, by way of the repository. Threads of our own are
 * programs of the bundle too, and are found beside whoever starts them.
 */
import { readFile } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';

const NAMES = /\bimport\.meta\.(?:url|main)\b|\b__dirname\b|\b__filename\b/;
const THREAD = /new URL\('(?<path>\.[^']*\/worker\.ts)', import\.meta\.url\)/g;
/** Made by `PREAMBLE`, at the head of every file of the bundle. */
const PLACE = '$place';

/** `folder` is that of the bundle, below the repository. CommonJS that is not in the bundle is required as by any other file. */
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

/** `nameThread` gives the file in the bundle of a thread's source. Both are relative to `root`. */
export function keepPlaces(root: string, nameThread: (source: string) => string): Plugin {
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
