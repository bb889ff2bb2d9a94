/** Mutants of documents: frontmatter, state, identity and rendering. */
import type { MutatedFile } from '../mutant.ts';

export const ARTICLES: readonly MutatedFile[] = [
  {
    file: 'article/frontmatter/state/publish-state.ts',
    tests: ['test/article/frontmatter/publish-state.test.ts'],
    mutants: [
      {
        mistake: '`draft: false` with `published: false` is not a contradiction',
        from: `return draft === false && published === false ? 'draft: false and published: false' : null;`,
        to: 'return null;',
      },
      {
        mistake: '`draft: true` with `published: true` is not a contradiction',
        from: `if (draft === true && published === true) return 'draft: true and published: true';`,
        to: '',
      },
      {
        mistake: 'of two contradicting fields the one that publishes wins',
        from: 'const isDraftRequested = draft === true || published === false;',
        to: 'const isDraftRequested = draft === true && published !== true;',
      },
      {
        mistake: 'a time in the future publishes a draft',
        from: `explicit ?? (isDraftRequested ? 'DRAFT' : isFuture ? 'SCHEDULED' : 'PUBLISHED')`,
        to: `explicit ?? (isFuture ? 'SCHEDULED' : isDraftRequested ? 'DRAFT' : 'PUBLISHED')`,
      },
      {
        mistake: 'the current time counts as the future',
        from: 'time.at.getTime() > now.getTime()',
        to: 'time.at.getTime() >= now.getTime()',
      },
      {
        mistake: '`status: SCHEDULED` without a time is accepted',
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
        mistake: 'a match by slug precedes a match by id',
        from: 'if (byId) return byId;',
        to: 'if (byId && !candidates.some((c) => c !== byId && keys.slug !== null && c.slug === keys.slug)) return byId;',
      },
      {
        mistake: 'two different ids match if the other keys are equal',
        from: 'keys.externalId === null || c.externalId === null);',
        to: 'c !== undefined);',
      },
      {
        mistake: 'two different slugs match if the titles are equal',
        from: '!(keys.slug !== null && c.requestedSlug !== null && c.requestedSlug !== keys.slug) &&',
        to: '',
      },
      {
        mistake: 'two different canonical URLs match if the titles are equal',
        from: '!(keys.canonicalKey !== null && c.requestedCanonicalUrl !== null && c.canonicalKey !== keys.canonicalKey)',
        to: 'c !== undefined',
      },
      {
        mistake: 'titles that differ only by case do not match',
        from: `.normalize('NFKC').toLowerCase().replace(/\\s+/gu`,
        to: `.normalize('NFKC').replace(/\\s+/gu`,
      },
      {
        mistake: 'files with the same name in different folders match',
        from: '(!keys.isTitleFromFileName || c.sourcePath === null || isOfSource(c)),',
        to: 'true,',
      },
      {
        mistake: 'files with the same path in different repositories match',
        from: ' && sourceRepository === keys.source.repository;',
        to: ';',
      },
      { mistake: 'a former slug does not match', from: 'c.formerSlug === keys.slug', to: 'c.formerSlug === c.slug' },
    ],
  },
  {
    file: 'article/identity/repository.ts',
    tests: ['test/article/identity/repository.test.ts'],
    mutants: [
      { mistake: 'a repository path can contain an @', from: '/[@?#', to: '/[?#' },
      {
        mistake: 'two ports of a host count as two repositories',
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
      { mistake: 'a cut splits a character', from: `.replace(HALF_LETTER, '')`, to: '' },
      {
        mistake: 'a reserved path can be used as a slug with a file name ending',
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
      { mistake: 'an invisible character makes another slug', from: `.replace(invisible, '')`, to: '' },
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
        mistake: 'campaign parameters distinguish two URLs of an article',
        from: 'filter(([name]) => !TRACKING.test(name)).map',
        to: 'filter(() => true).map',
      },
      {
        mistake: 'the order of query parameters distinguishes two URLs of an article',
        from: 'pairs.sort(',
        to: '[...pairs].sort(',
      },
      {
        mistake: 'the root of a site counts as the URL of an article',
        from: `/^\\/*$/.test(parsed.pathname) && !hasQuery`,
        to: 'false',
      },
    ],
  },
  {
    file: 'article/frontmatter/field-reader.ts',
    tests: ['test/article/frontmatter/hostile-frontmatter.test.ts', 'test/article/frontmatter/frontmatter.test.ts'],
    mutants: [
      { mistake: 'a text has no length limit', from: 'if (line.length > maxLength) {', to: 'if (line.length > 1e9) {' },
      { mistake: 'any number of tags is accepted', from: 'if (tags.length > MAX_TAGS)', to: 'if (tags.length > 1e9)' },
      {
        mistake: 'duplicate tags are not removed',
        from: `return [...new Set(clean.filter((tag) => tag !== ''))];`,
        to: `return clean.filter((tag) => tag !== '');`,
      },
    ],
  },
  {
    file: 'article/frontmatter/cross-post.ts',
    tests: ['test/article/frontmatter/frontmatter.test.ts', 'test/article/frontmatter/frontmatter-keys.test.ts'],
    mutants: [
      {
        mistake: 'an article is delivered to the social feed by default',
        from: 'social_feed: false,',
        to: 'social_feed: true,',
      },
      {
        mistake: 'an unknown destination is ignored without a warning',
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
        mistake: 'a second frontmatter is published as text',
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
        mistake: 'yes and no are parsed as strings instead of booleans',
        from: `schema: 'core'`,
        to: `schema: 'failsafe'`,
      },
      { mistake: 'nesting has no depth limit', from: 'const MAX_DEPTH = 60;', to: 'const MAX_DEPTH = 1e6;' },
    ],
  },
  {
    file: 'article/frontmatter/state/doubtful-state.ts',
    tests: ['test/article/frontmatter/doubtful-state.test.ts'],
    mutants: [
      {
        mistake: 'the future date of a scheduled article causes a warning',
        from: `(doubt === 'future' && state.status === 'SCHEDULED')`,
        to: 'false',
      },
      {
        mistake: 'an explicit status causes a warning',
        from: `if (state.status === 'DRAFT' || isExplicit) return [];`,
        to: `if (state.status === 'DRAFT') return [];`,
      },
      {
        mistake: '`publish: false` is published without a warning',
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
        mistake: 'a title can contain terminal escape sequences',
        from: `.replace(TERMINAL_ESCAPES, '')\n    .replace(SPACE_LIKE, ' ')`,
        to: `.replace(SPACE_LIKE, ' ')`,
      },
      { mistake: 'a title can contain invisible characters', from: `.replace(INVISIBLE, '')`, to: '' },
      {
        mistake: 'the text for models can contain hidden content',
        from: `return text.replace(SMUGGLED, '');`,
        to: 'return text;',
      },
    ],
  },
  {
    file: 'article/render/sanitise-schema.ts',
    tests: ['test/article/markdown/hostile-html.test.ts', 'test/article/render/render.test.ts'],
    mutants: [
      {
        mistake: 'a link can run a script',
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
        mistake: 'a template placeholder becomes a URL',
        from: `if (isTemplate(text)) return { kind: 'unresolved' };`,
        to: '',
      },
    ],
  },
];
