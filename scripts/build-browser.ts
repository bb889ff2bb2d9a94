/**
 * `npm run build:browser`: bundles the scripts and style sheets of `browser/` into `browser/dist/`,
 * which the API reads. Replaces each file atomically, so that other processes never read a partial
 * file.
 */
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { codeColours } from '../article/render/code/code-colours.ts';
import { replaceFile } from './replace-file.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'browser/dist');
const ENTRIES = ['site.css', 'early.ts', 'site.ts', 'desk.css', 'desk.ts', 'write.css', 'write.ts'];
/** Browsers of the last three years. Newer features are compiled or are optional. */
const TARGETS = ['chrome115', 'firefox115', 'safari16.4'];

/** Resolves `@import "code-colours"` to the colours that the highlighter defines. */
const codeColoursPlugin: Plugin = {
  name: 'code-colours',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^code-colours$/ }, ({ path }) => ({ path, namespace: 'made' }));
    onLoad({ filter: /.*/, namespace: 'made' }, () => ({ contents: codeColours, loader: 'css' }));
  },
};

const { outputFiles } = await build({
  absWorkingDir: ROOT,
  entryPoints: ENTRIES.map((entry) => `browser/${entry}`),
  outdir: DIST,
  bundle: true,
  minify: true,
  write: false,
  format: 'iife',
  target: TARGETS,
  legalComments: 'inline',
  plugins: [codeColoursPlugin],
});
for (const { path, text } of outputFiles) replaceFile(join(DIST, basename(path)), text);
const sizes = outputFiles.map(({ path, contents }) => `${basename(path)} ${(contents.length / 1024).toFixed(1)} KB`);
process.stdout.write(`browser/dist: ${sizes.join(', ')}\n`);
