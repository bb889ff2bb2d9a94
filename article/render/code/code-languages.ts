/** Languages in which code is highlighted, each loaded on first use. Code in others stays plain. */
import type { LanguageRegistration } from 'shiki/core';
import { bundledLanguages, bundledLanguagesInfo } from 'shiki/langs';

export const LANGUAGES: readonly string[] =
  `c clojure cpp csharp css dart diff docker elixir go graphql haskell html ini java javascript json jsx kotlin lua make
  markdown nix php powershell python r ruby rust scala scss shellscript shellsession sql svelte swift terraform toml tsx
  typescript vue xml yaml zig`.split(/\s+/);

/** Names that authors write after a code fence, beside the aliases of Shiki. */
const OTHER_NAMES = {
  ...{ ex: 'elixir', golang: 'go', h: 'c', hcl: 'terraform', htm: 'html', json5: 'json', jsonc: 'json' },
  ...{ objc: 'c', sass: 'scss', svg: 'xml' },
};
const BY_NAME = new Map([
  ...bundledLanguagesInfo
    .filter(({ id }) => LANGUAGES.includes(id))
    .flatMap(({ id, aliases = [] }) => [id, ...aliases].map((name): [string, string] => [name, id])),
  ...Object.entries(OTHER_NAMES),
]);

/** The name of the language if it can be loaded, or null if its code stays plain. */
export function findCodeLanguage(name: string): string | null {
  return BY_NAME.get(name.toLowerCase()) ?? null;
}

/** Embedded languages that Shiki highlights only if loaded. Here their host loads them. */
const EMBEDDED: Record<string, string[]> = {
  markdown: ['shellscript', 'css', 'diff', 'html', 'javascript', 'json', 'python', 'typescript', 'yaml'],
  svelte: ['scss'],
  vue: ['jsx', 'scss', 'tsx'],
};
/** Ruby's grammar embeds 2.5 MB for here-documents, mostly C++. Other languages stay plain. */
const ALLOWED: Record<string, string[]> = {
  ruby: ['ruby', 'html', 'css', 'javascript', 'sql', 'shellscript', 'yaml'],
};

/** The grammars of a language and of its embedded languages, whatever was loaded before. */
export async function loadGrammars(language: string): Promise<LanguageRegistration[]> {
  const names = [...(EMBEDDED[language] ?? []), language] as (keyof typeof bundledLanguages)[];
  const loaded = await Promise.all(names.map(async (name) => (await bundledLanguages[name]()).default));
  const grammars = new Map(loaded.flat().map((grammar) => [grammar.name, grammar]));
  return [...grammars.values()]
    .filter(({ name }) => ALLOWED[language]?.includes(name) ?? true)
    .map((grammar) => ({ ...grammar, embeddedLangs: [], embeddedLangsLazy: [] }));
}
