/** The language of an article as its author names it in the frontmatter: `lang: de`, `language: pt-BR`, `locale: zh_CN`. */
import { foldName } from '../frontmatter/field-names.ts';
import type { FieldNode } from '../frontmatter/field-node.ts';

const NAMES = ['lang', 'language', 'locale'];
/** Codes for no language, several, and unknown ones. */
const NO_LANGUAGE = new Set(['mul', 'und', 'zxx', 'mis']);
/** Made when the first document names a language: it takes the time in which the command line reads a whole document. */
let namesOfLanguages: Intl.DisplayNames | undefined;

export interface NamedLanguage {
  tag: string;
  /** The key of the frontmatter. */
  key: string;
}

/** Null if no key names one. Never an error: the keys may mean something else, as a programming language (2.3, rule 1). */
export function findLanguage(others: readonly [string, FieldNode][]): NamedLanguage | null {
  for (const name of NAMES) {
    for (const [key, node] of others) {
      const tag = foldName(key) === name && node.kind === 'scalar' ? readLanguageTag(node.text) : null;
      if (tag !== null) return { tag, key };
    }
  }
  return null;
}

/** A tag of BCP 47 in its canonical spelling, for a language that is known; null for anything else. POSIX locales are read as tags. */
export function readLanguageTag(text: string): string | null {
  const tag = text
    .trim()
    .replace(/\.[\w-]+$/, '')
    .replace(/_/g, '-');
  if (tag.length > 35 || !/^[a-z]{2,3}(?:-[a-z\d]{1,8})*$/i.test(tag)) return null;
  try {
    const locale = new Intl.Locale(tag);
    namesOfLanguages ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
    const isKnown = !NO_LANGUAGE.has(locale.language) && namesOfLanguages.of(locale.language) !== undefined;
    return isKnown ? locale.toString() : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Of the script in which the language is written. */
export function getDirection(tag: string): 'ltr' | 'rtl' {
  const script = new Intl.Locale(tag).maximize().script;
  return script !== undefined && RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr';
}

/** Those of languages that are written today. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa', 'Yezi']);
