/**
 * Divides the bundle in two texts: what a dry run of plain Markdown runs, which each start reads, and the rest, which is read where it is called.
 * To read a program costs more than to check a post. No module is in both: the rest reaches those of the first by `first`, and those of the rest
 * are reached by `rest`, which the launcher knows.
 */
import { join, relative } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/** What is loaded when it is called, and yet belongs to the first text. All else that is loaded so is the rest. */
const FIRST = [
  ...['publish', 'preview'].map((name) => `cli/commands/publish/${name}.ts`),
  ...['format/preflight', 'platforms', 'forem/format', 'hashnode/format'].map((name) => `destinations/${name}.ts`),
];
const LINKS = 'links-of-the-first';
/** Behind the path of what stands in for a module: by its own ending esbuild would take it for an ES module. */
const MARK = '.link';
/** Where a plugin asks how a path resolves, so that it does not ask itself. */
const ASKED = Symbol('asked');

/** What the modules of one text need of those of the other, by their paths in the repository. */
export interface Division {
  /** Of the first text, and how each is written. */
  first: Map<string, 'esm' | 'cjs'>;
  /** Where the rest begins. */
  entries: Set<string>;
  /** Modules of the first that the rest needs. */
  links: Set<string>;
}

export const createDivision = (): Division => ({ first: new Map(), entries: new Set(), links: new Set() });

/** What is in the output; other inputs were only looked at. */
export function noteFirst({ first }: Division, { inputs, outputs }: Metafile): void {
  for (const output of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      if (bytesInOutput > 0 && !path.includes(':')) first.set(path, inputs[path]?.format ?? 'cjs');
    }
  }
}

/** For the first text. */
export function leaveOutRest(root: string, { entries, links }: Division): Plugin {
  return {
    name: 'leave-out-rest',
    setup(build) {
      build.onResolve({ filter: /./ }, async ({ path, pluginData, namespace, ...place }) => {
        if (path === LINKS) return { path, namespace: 'rest' };
        const isCalled = place.kind === 'dynamic-import' || namespace === 'lazy';
        if (!isCalled || pluginData === ASKED || path.startsWith('node:')) return null;
        const resolved = await build.resolve(path, { ...place, pluginData: ASKED });
        const file = relative(root, resolved.path);
        return FIRST.includes(file) ? null : { path: `${file}${MARK}`, namespace: 'rest' };
      });
      build.onLoad({ filter: /./, namespace: 'rest' }, ({ path }) => {
        if (path === LINKS) return { contents: writeTable(root, links), resolveDir: root };
        const file = path.slice(0, -MARK.length);
        entries.add(file);
        return { contents: `module.exports = rest(require('${LINKS}'))[${JSON.stringify(file)}]();`, resolveDir: root };
      });
    },
  };
}

export const REST = 'entries-of-the-rest';

/** For the rest, whose entry is `REST`. */
export function linkToFirst(root: string, { first, entries, links }: Division): Plugin {
  return {
    name: 'link-to-first',
    setup(build) {
      build.onResolve({ filter: /./ }, async ({ path, pluginData, namespace: _, ...place }) => {
        if (path === REST) return { path, namespace: 'rest' };
        if (pluginData === ASKED || path.startsWith('node:')) return null;
        const resolved = await build.resolve(path, { ...place, pluginData: ASKED });
        if (resolved.namespace !== 'file') return null;
        const file = relative(root, resolved.path);
        return first.has(file) ? { path: file, namespace: 'first' } : null;
      });
      build.onLoad({ filter: /./, namespace: 'rest' }, () => ({
        contents: writeTable(root, entries),
        resolveDir: root,
      }));
      build.onLoad({ filter: /./, namespace: 'first' }, async ({ path }) => {
        links.add(path);
        const link = `first[${JSON.stringify(path)}]()`;
        if (first.get(path) === 'cjs') return { contents: `module.exports = ${link};` };
        const names = Object.keys((await import(join(root, path))) as object);
        const values = names.map((name, at) => `const _${at} = found[${JSON.stringify(name)}];`);
        const exported = names.map((name, at) => `_${at} as ${name}`).join(', ');
        return { contents: [`const found = ${link};`, ...values, `export { ${exported} };`].join('\n') };
      });
    },
  };
}

function writeTable(root: string, paths: Iterable<string>): string {
  const entries = [...paths].map(
    (path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(join(root, path))}),`,
  );
  return `module.exports = {\n${entries.join('\n')}\n};`;
}
