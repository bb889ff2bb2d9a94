/** Chooses stemming rules by language: the text search configurations of PostgreSQL. */

/** Configurations of every PostgreSQL since version 14. `simple` does not stem. */
const RULES_OF_LANGUAGE = {
  ...({
    ar: 'arabic',
    ca: 'catalan',
    da: 'danish',
    de: 'german',
    el: 'greek',
    en: 'english',
    es: 'spanish',
    eu: 'basque',
  } as const),
  ...({
    fi: 'finnish',
    fr: 'french',
    ga: 'irish',
    hi: 'hindi',
    hu: 'hungarian',
    hy: 'armenian',
    id: 'indonesian',
    it: 'italian',
  } as const),
  ...({
    lt: 'lithuanian',
    nb: 'norwegian',
    ne: 'nepali',
    nl: 'dutch',
    nn: 'norwegian',
    no: 'norwegian',
    pt: 'portuguese',
    ro: 'romanian',
  } as const),
  ...({ ru: 'russian', sr: 'serbian', sv: 'swedish', ta: 'tamil', tr: 'turkish', yi: 'yiddish' } as const),
};

export type WordRules = (typeof RULES_OF_LANGUAGE)[keyof typeof RULES_OF_LANGUAGE] | 'simple';

/** `language` is a BCP 47 tag; null if unknown. */
export function chooseRules(language: string | null): WordRules {
  const primary = language?.split('-')[0]?.toLowerCase() ?? '';
  return Object.hasOwn(RULES_OF_LANGUAGE, primary)
    ? RULES_OF_LANGUAGE[primary as keyof typeof RULES_OF_LANGUAGE]
    : 'simple';
}
