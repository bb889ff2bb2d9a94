/**
 * Delays parts of the CLI bundle until they are called. An imported ES module runs at each start:
 * MDX, TOML, raw HTML, emoji, character names and time zones would cost a publish of plain Markdown
 * more than reading the post.
 */
import { join, relative, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/** Modules of this repository that export only functions. The first call loads the module. */
const FUNCTION_MODULES = [
  'article/mdx/parse-mdx.ts',
  'article/dialects/inline/emoji-names.ts',
  'article/frontmatter/syntax/toml-fields.ts',
  'article/frontmatter/zoned-time.ts',
  'article/overrides/override-toml.ts',
  ...['forem', 'ghost', 'hashnode', 'linkedin', 'medium', 'wordpress'].map((name) => `destinations/${name}/format.ts`),
];

/** Packages, with the code that replaces each until it is used. */
const PACKAGES: Record<string, string> = {
  'temporal-polyfill':
    "export const Temporal = new Proxy({}, { get: (_, name) => require('temporal-polyfill').Temporal[name] });",
  'decode-named-character-reference':
    "export const decodeNamedCharacterReference = (name) => require('decode-named-character-reference').decodeNamedCharacterReference(name);",
  'fast-string-width': "export default (text) => require('fast-string-width').default(text);",
  'fast-wrap-ansi': "export const wrapAnsi = (...given) => require('fast-wrap-ansi').wrapAnsi(...given);",
  'rehype-raw': "export default (...options) => require('rehype-raw').default(...options);",
};

/**
 * Modules of unused features: the YAML of gray-matter is replaced, and no command of commander is a
 * separate program.
 */
const UNUSED: { importer: RegExp; path: string; contents: string }[] = [
  {
    importer: /gray-matter/,
    path: 'js-yaml',
    contents: 'exports.safeLoad = exports.safeDump = () => { throw new Error("unused"); };',
  },
  { importer: /commander/, path: 'node:child_process', contents: '' },
];

export function createLazyModules(root: string): Plugin {
  return {
    name: 'lazy-modules',
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path, importer, kind, namespace, resolveDir }) => {
        const unused = UNUSED.find((entry) => entry.path === path && entry.importer.test(importer));
        if (unused !== undefined) return { path, namespace: 'unused' };
        // The replacement itself loads the module with `require`.
        if (namespace === 'lazy' || kind !== 'import-statement') return null;
        if (Object.hasOwn(PACKAGES, path)) return { path, namespace: 'lazy' };
        const file = path.startsWith('.') ? relative(root, resolve(resolveDir, path)) : '';
        return FUNCTION_MODULES.includes(file) ? { path: file, namespace: 'lazy' } : null;
      });
      build.onLoad({ filter: /./, namespace: 'unused' }, ({ path }) => ({
        contents: UNUSED.find((entry) => entry.path === path)?.contents ?? '',
      }));
      build.onLoad({ filter: /./, namespace: 'lazy' }, async ({ path }) => ({
        contents: PACKAGES[path] ?? (await buildReplacement(join(root, path))),
        resolveDir: root,
      }));
    },
  };
}

async function buildReplacement(file: string): Promise<string> {
  const exported = (await import(file)) as Record<string, unknown>;
  const others = Object.keys(exported).filter((name) => typeof exported[name] !== 'function');
  if (others.length > 0)
    throw new Error(`${file} exports ${others.join(', ')}; only functions can wait until they are called.`);
  const load = `require(${JSON.stringify(file)})`;
  return Object.keys(exported)
    .map((name) => `export const ${name} = (...given) => ${load}.${name}(...given);`)
    .join('\n');
}
