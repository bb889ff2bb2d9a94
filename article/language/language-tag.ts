/** Reads the language that an author names: `lang: de`, `language: pt-BR`, `locale: zh_CN`. */
import { foldName } from '../frontmatter/field-names.ts';
import type { FieldNode } from '../frontmatter/field-node.ts';

const NAMES = ['lang', 'language', 'locale'];
/** Codes for no language, several languages and unknown ones. */
const NO_LANGUAGE = new Set(['mul', 'und', 'zxx', 'mis']);
/** Created on first use: it takes as long as the command line needs to read a document. */
let languageNames: Intl.DisplayNames | undefined;

export interface NamedLanguage {
  tag: string;
  key: string;
}

/** Null if no key names a language. The key may mean something else (2.3, rule 1). */
export function findNamedLanguage(others: readonly [string, FieldNode][]): NamedLanguage | null {
  for (const name of NAMES) {
    for (const [key, node] of others) {
      const tag = foldName(key) === name && node.kind === 'scalar' ? readLanguageTag(node.text) : null;
      if (tag !== null) return { tag, key };
    }
  }
  return null;
}

/** The canonical BCP 47 tag of a known language; null for anything else. Accepts POSIX locales. */
export function readLanguageTag(text: string): string | null {
  const tag = text
    .trim()
    .replace(/\.[\w-]+$/, '')
    .replace(/_/g, '-');
  if (tag.length > 35 || !/^[a-z]{2,3}(?:-[a-z\d]{1,8})*$/i.test(tag)) return null;
  try {
    const locale = new Intl.Locale(tag);
    languageNames ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
    const isKnown = !NO_LANGUAGE.has(locale.language) && languageNames.of(locale.language) !== undefined;
    return isKnown ? locale.toString() : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export function getDirection(tag: string): 'ltr' | 'rtl' {
  const script = new Intl.Locale(tag).maximize().script;
  return script !== undefined && RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr';
}

/** Right-to-left scripts of languages that are written today. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa', 'Yezi']);
