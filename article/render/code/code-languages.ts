/** Languages in which code is highlighted, each loaded on first use. Code in others stays plain. */
import type { LanguageRegistration } from 'shiki/core';

type Loader = () => Promise<{ default: LanguageRegistration[] }>;

const LOADERS: Record<string, Loader> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  clojure: () => import('shiki/langs/clojure.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  dart: () => import('shiki/langs/dart.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  elixir: () => import('shiki/langs/elixir.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  graphql: () => import('shiki/langs/graphql.mjs'),
  haskell: () => import('shiki/langs/haskell.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  lua: () => import('shiki/langs/lua.mjs'),
  make: () => import('shiki/langs/make.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  nix: () => import('shiki/langs/nix.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  powershell: () => import('shiki/langs/powershell.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  r: () => import('shiki/langs/r.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  scala: () => import('shiki/langs/scala.mjs'),
  scss: () => import('shiki/langs/scss.mjs'),
  shellsession: () => import('shiki/langs/shellsession.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  svelte: () => import('shiki/langs/svelte.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  terraform: () => import('shiki/langs/terraform.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  vue: () => import('shiki/langs/vue.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
  zig: () => import('shiki/langs/zig.mjs'),
};

export const LANGUAGES: readonly string[] = Object.keys(LOADERS);

/** Other names that authors write after a code fence. */
const ALIASES: Record<string, string> = {
  'c++': 'cpp',
  'c#': 'csharp',
  cjs: 'javascript',
  clj: 'clojure',
  console: 'shellsession',
  cs: 'csharp',
  dockerfile: 'docker',
  ex: 'elixir',
  golang: 'go',
  gql: 'graphql',
  h: 'c',
  hcl: 'terraform',
  hs: 'haskell',
  htm: 'html',
  js: 'javascript',
  json5: 'json',
  jsonc: 'json',
  kt: 'kotlin',
  makefile: 'make',
  md: 'markdown',
  mjs: 'javascript',
  objc: 'c',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sass: 'scss',
  sh: 'bash',
  shell: 'bash',
  svg: 'xml',
  tf: 'terraform',
  ts: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
};

/** The name of the language if it can be loaded, or null if its code stays plain. */
export function findCodeLanguage(name: string): string | null {
  const lower = name.toLowerCase();
  const language = Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : lower;
  return language !== undefined && Object.hasOwn(LOADERS, language) ? language : null;
}

/**
 * Embedded languages that Shiki highlights only if something else has loaded them. Here they are
 * loaded with their host, or never.
 */
const EMBEDDED: Record<string, string[]> = {
  markdown: ['bash', 'css', 'diff', 'html', 'javascript', 'json', 'python', 'typescript', 'yaml'],
  svelte: ['scss'],
  vue: ['jsx', 'scss', 'tsx'],
};
/**
 * Ruby's grammar embeds 2.5 MB for here-documents, most of it C++. Languages not listed stay plain.
 */
const ALLOWED: Record<string, string[]> = {
  ruby: ['ruby', 'html', 'css', 'javascript', 'sql', 'shellscript', 'yaml'],
};

/**
 * The grammars of a language and of its embedded languages. The result does not depend on what was
 * loaded before.
 */
export async function loadGrammars(language: string): Promise<LanguageRegistration[]> {
  const names = [...(EMBEDDED[language] ?? []), language];
  const loaded = await Promise.all(names.map(async (name) => (await LOADERS[name]?.())?.default ?? []));
  const grammars = new Map(loaded.flat().map((grammar) => [grammar.name, grammar]));
  return [...grammars.values()]
    .filter(({ name }) => ALLOWED[language]?.includes(name) ?? true)
    .map((grammar) => ({ ...grammar, embeddedLangs: [], embeddedLangsLazy: [] }));
}
