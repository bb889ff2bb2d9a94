/** Mutants of documents: frontmatter, state, identity and rendering. */
import type { MutatedFile } from '../mutant.ts';

export const ARTICLES: readonly MutatedFile[] = [
  {
    file: 'article/frontmatter/state/publish-state.ts',
    tests: ['test/article/frontmatter/publish-state.test.ts'],
    mutants: [
      {
        mistake: '`draft: false` beside `published: false` contradicts nothing',
        from: `return draft === false && published === false ? 'draft: false and published: false' : null;`,
        to: 'return null;',
      },
      {
        mistake: '`draft: true` beside `published: true` contradicts nothing',
        from: `if (draft === true && published === true) return 'draft: true and published: true';`,
        to: '',
      },
      {
        mistake: 'of two that contradict each other the one that publishes holds',
        from: 'const isDraftRequested = draft === true || published === false;',
        to: 'const isDraftRequested = draft === true && published !== true;',
      },
      {
        mistake: 'a time in the future publishes a draft',
        from: `explicit ?? (isDraftRequested ? 'DRAFT' : isFuture ? 'SCHEDULED' : 'PUBLISHED')`,
        to: `explicit ?? (isFuture ? 'SCHEDULED' : isDraftRequested ? 'DRAFT' : 'PUBLISHED')`,
      },
      {
        mistake: 'this very moment is in the future',
        from: 'time.at.getTime() > now.getTime()',
        to: 'time.at.getTime() >= now.getTime()',
      },
      {
        mistake: '`status: SCHEDULED` without a time is taken',
        from: `if (requested.explicit === 'SCHEDULED' && statusNode !== undefined`,
        to: `if (requested.explicit === 'DRAFT' && statusNode !== undefined`,
      },
    ],
  },
  {
    file: 'article/identity/match.ts',
    tests: ['test/article/identity/match.test.ts'],
    mutants: [
      {
        mistake: 'a match by id does not go before one by slug',
        from: 'if (byId) return byId;',
        to: 'if (byId && !candidates.some((c) => c !== byId && keys.slug !== null && c.slug === keys.slug)) return byId;',
      },
      {
        mistake: 'two ids are one article where the rest agrees',
        from: 'keys.externalId === null || c.externalId === null);',
        to: 'c !== undefined);',
      },
      {
        mistake: 'two slugs are one article where the titles agree',
        from: '!(keys.slug !== null && c.givenSlug !== null && c.givenSlug !== keys.slug) &&',
        to: '',
      },
      {
        mistake: 'two canonical addresses are one article where the titles agree',
        from: '!(keys.canonicalKey !== null && c.givenCanonicalUrl !== null && c.canonicalKey !== keys.canonicalKey)',
        to: 'c !== undefined',
      },
      {
        mistake: 'a title’s case makes another article',
        from: `.normalize('NFKC').toLowerCase().replace(/\\s+/gu`,
        to: `.normalize('NFKC').replace(/\\s+/gu`,
      },
      {
        mistake: 'files of the same name in different folders are one article',
        from: '(!keys.isTitleFromFileName || c.sourcePath === null || isOfSource(c)),',
        to: 'true,',
      },
      {
        mistake: 'files of the same path in different repositories are one article',
        from: ' && sourceRepository === keys.source.repository;',
        to: ';',
      },
      { mistake: 'a former slug is not known', from: 'c.formerSlug === keys.slug', to: 'c.formerSlug === c.slug' },
    ],
  },
  {
    file: 'article/identity/repository.ts',
    tests: ['test/article/identity/repository.test.ts'],
    mutants: [
      { mistake: 'a name may hold what stands before an @', from: '/[@?#', to: '/[?#' },
      {
        mistake: 'the port makes another repository',
        from: 'host: url.hostname, path: url.pathname',
        to: 'host: url.host, path: url.pathname',
      },
    ],
  },
  {
    file: 'article/identity/slug.ts',
    tests: ['test/article/identity/slugs.test.ts'],
    mutants: [
      {
        mistake: 'a slug is cut at any dash',
        from: 'lastDash > maxLength / 2',
        to: 'lastDash > 0',
      },
      { mistake: 'a cut leaves half a letter', from: `.replace(HALF_LETTER, '')`, to: '' },
      {
        mistake: 'a path of the site is free with an ending',
        from: `.replace(/\\.(?:txt|xml|json|md|ico|png|html)$/, '')`,
        to: '',
      },
    ],
  },
  {
    file: 'article/identity/join-words.ts',
    tests: ['test/article/identity/slugs.test.ts'],
    mutants: [
      { mistake: 'numbers run together', from: `line.replace(within, '-')`, to: 'line' },
      { mistake: 'an invisible letter makes another address', from: `.replace(invisible, '')`, to: '' },
    ],
  },
  {
    file: 'article/identity/canonical.ts',
    tests: [
      'test/article/markdown/addresses.test.ts',
      'test/article/identity/match.test.ts',
      'test/destinations/posts/canonical.test.ts',
    ],
    mutants: [
      {
        mistake: 'a campaign makes another article',
        from: 'filter(([name]) => !TRACKING.test(name)).map',
        to: 'filter(() => true).map',
      },
      { mistake: 'the order of a query makes another article', from: 'pairs.sort(', to: '[...pairs].sort(' },
      { mistake: 'the root of a site is an article', from: `/^\\/*$/.test(parsed.pathname) && !hasQuery`, to: 'false' },
    ],
  },
  {
    file: 'article/frontmatter/field-reader.ts',
    tests: ['test/article/frontmatter/hostile-frontmatter.test.ts', 'test/article/frontmatter/frontmatter.test.ts'],
    mutants: [
      { mistake: 'a text may have any length', from: 'if (line.length > maxLength) {', to: 'if (line.length > 1e9) {' },
      { mistake: 'any number of tags is taken', from: 'if (tags.length > MAX_TAGS)', to: 'if (tags.length > 1e9)' },
      {
        mistake: 'a tag twice is two tags',
        from: `return [...new Set(clean.filter((tag) => tag !== ''))];`,
        to: `return clean.filter((tag) => tag !== '');`,
      },
    ],
  },
  {
    file: 'article/frontmatter/cross-post.ts',
    tests: ['test/article/frontmatter/frontmatter.test.ts', 'test/article/frontmatter/frontmatter-keys.test.ts'],
    mutants: [
      { mistake: 'an article goes to the social feed unasked', from: 'social_feed: false,', to: 'social_feed: true,' },
      {
        mistake: 'an unknown destination is passed over in silence',
        from: 'if (key === undefined) {\n      const',
        to: 'if (key === undefined) {\n      continue;\n      const',
      },
    ],
  },
  {
    file: 'article/frontmatter/syntax/split-frontmatter.ts',
    tests: [
      'test/article/frontmatter/frontmatter-shapes.test.ts',
      'test/article/frontmatter/hostile-frontmatter.test.ts',
      'test/article/frontmatter/frontmatter.test.ts',
    ],
    mutants: [
      {
        mistake: 'frontmatter of any size is parsed',
        from: 'if (raw.length > MAX_LENGTH) {',
        to: 'if (raw.length > 1e9) {',
        tests: ['test/article/frontmatter/hostile-frontmatter.test.ts'],
      },
      {
        mistake: 'a second frontmatter becomes text',
        from: 'if (second !== null) return { ok: false, problems: [second] };',
        to: '',
      },
      {
        mistake: 'broken frontmatter is published as text',
        from: 'return looksLikeFields(raw) ? { ok: false, problems: result.problems } : asText;',
        to: 'return asText;',
      },
    ],
  },
  {
    file: 'article/frontmatter/syntax/yaml-fields.ts',
    tests: ['test/article/frontmatter/hostile-frontmatter.test.ts', 'test/article/frontmatter/frontmatter.test.ts'],
    mutants: [
      {
        mistake: 'yes and no are texts in one file and flags in the other',
        from: `schema: 'core'`,
        to: `schema: 'failsafe'`,
      },
      { mistake: 'any depth is parsed', from: 'const MAX_DEPTH = 60;', to: 'const MAX_DEPTH = 1e6;' },
    ],
  },
  {
    file: 'article/frontmatter/state/doubtful-state.ts',
    tests: ['test/article/frontmatter/doubtful-state.test.ts'],
    mutants: [
      {
        mistake: 'a scheduled article is doubted for its future date',
        from: `(doubt === 'future' && state.status === 'SCHEDULED')`,
        to: 'false',
      },
      {
        mistake: 'an explicit status is doubted',
        from: `if (state.status === 'DRAFT' || isExplicit) return [];`,
        to: `if (state.status === 'DRAFT') return [];`,
      },
      {
        mistake: '`publish: false` is published without a word',
        from: `if ((SHOWING.test(name) || isNear(name, ['published', 'publish'])) &&`,
        to: 'if (false &&',
      },
    ],
  },
  {
    file: 'article/text/clean-text.ts',
    tests: ['test/article/frontmatter/hostile-frontmatter.test.ts', 'test/article/markdown/hostile-documents.test.ts'],
    mutants: [
      {
        mistake: 'a title writes to a terminal',
        from: `.replace(TERMINAL_ESCAPES, '')\n    .replace(SPACE_LIKE, ' ')`,
        to: `.replace(SPACE_LIKE, ' ')`,
      },
      { mistake: 'a title holds what nobody sees', from: `.replace(INVISIBLE, '')`, to: '' },
      { mistake: 'models read what nobody sees', from: `return text.replace(SMUGGLED, '');`, to: 'return text;' },
    ],
  },
  {
    file: 'article/render/sanitise-schema.ts',
    tests: ['test/article/markdown/hostile-html.test.ts', 'test/article/render/render.test.ts'],
    mutants: [
      {
        mistake: 'a link runs a script',
        from: `href: ['http', 'https', 'mailto',`,
        to: `href: ['http', 'https', 'javascript', 'mailto',`,
      },
      { mistake: 'the text of a script is shown', from: `strip: ['script', 'style',`, to: `strip: ['style',` },
    ],
  },
  {
    file: 'article/markdown/addresses/resolve-address.ts',
    tests: ['test/article/markdown/links.test.ts', 'test/article/markdown/addresses.test.ts'],
    mutants: [
      { mistake: 'a base without a slash loses its folder', from: `url.pathname += '/';`, to: '' },
      {
        mistake: 'a placeholder becomes an address',
        from: `if (isTemplate(text)) return { kind: 'unresolved' };`,
        to: '',
      },
    ],
  },
];
