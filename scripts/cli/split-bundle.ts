/**
 * Divides the CLI bundle into two parts: the code for a dry run of plain Markdown, which each start
 * reads, and the rest, which is read on demand. Reading code costs more than checking a post. No
 * module is in both parts; each reaches the other by the functions `first` and `rest`.
 */
import { join, relative } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/**
 * Modules that are imported dynamically and still belong to the first part. All other dynamic
 * imports belong to the rest.
 */
const FIRST_MODULES = [
  ...['publish', 'preview'].map((name) => `cli/commands/publish/${name}.ts`),
  ...['format/preflight', 'platforms', 'forem/format', 'hashnode/format'].map((name) => `destinations/${name}.ts`),
];
const LINKS = 'links-of-the-first';
/**
 * Suffix of the path of a replacement. With the original suffix esbuild would treat it as an ES
 * module.
 */
const MARK = '.link';
/** Marks resolutions that a plugin requests itself, to prevent recursion. */
const REQUESTED = Symbol('asked');

/** The dependencies between the two parts, as paths in the repository. */
export interface BundleSplit {
  /** Modules of the first part, with their format. */
  first: Map<string, 'esm' | 'cjs'>;
  /** Entry modules of the rest. */
  entries: Set<string>;
  /** Modules of the first part that the rest needs. */
  links: Set<string>;
}

export const createBundleSplit = (): BundleSplit => ({ first: new Map(), entries: new Set(), links: new Set() });

/** Records the modules in the output. Other inputs were only analysed. */
export function recordFirstModules({ first }: BundleSplit, { inputs, outputs }: Metafile): void {
  for (const output of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      if (bytesInOutput > 0 && !path.includes(':')) first.set(path, inputs[path]?.format ?? 'cjs');
    }
  }
}

/** Plugin for the first part. */
export function createRestExtractor(root: string, { entries, links }: BundleSplit): Plugin {
  return {
    name: 'leave-out-rest',
    setup(build) {
      build.onResolve({ filter: /./ }, async ({ path, pluginData, namespace, ...options }) => {
        if (path === LINKS) return { path, namespace: 'rest' };
        const isCalled = options.kind === 'dynamic-import' || namespace === 'lazy';
        if (!isCalled || pluginData === REQUESTED || path.startsWith('node:')) return null;
        const resolved = await build.resolve(path, { ...options, pluginData: REQUESTED });
        const file = relative(root, resolved.path);
        return FIRST_MODULES.includes(file) ? null : { path: `${file}${MARK}`, namespace: 'rest' };
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

export const REST_ENTRY = 'entries-of-the-rest';

/** Plugin for the rest, with the entry `REST_ENTRY`. */
export function createFirstLinker(root: string, { first, entries, links }: BundleSplit): Plugin {
  return {
    name: 'link-to-first',
    setup(build) {
      build.onResolve({ filter: /./ }, async ({ path, pluginData, namespace: _, ...options }) => {
        if (path === REST_ENTRY) return { path, namespace: 'rest' };
        if (pluginData === REQUESTED || path.startsWith('node:')) return null;
        const resolved = await build.resolve(path, { ...options, pluginData: REQUESTED });
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
