/** REST schemas of an article list and its entries. */
import { type Static, Type } from 'typebox';

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const Address = (description: string) => Type.String({ format: 'uri', description });

export const ArticleEntrySchema = Type.Object({
  slug: Type.String({
    description: 'Names the article on this site; changes only by its author’s word, and then redirects.',
  }),
  title: Type.String(),
  subtitle: Nullable(Type.String()),
  excerpt: Type.String({ description: 'The author’s own, else the first sentences.' }),
  url: Address('Where it is read on this site.'),
  canonicalUrl: Address('Cite this one: where the article is at home.'),
  author: Type.Object({ name: Type.String(), username: Type.String(), url: Address('The author’s page.') }),
  tags: Type.Array(Type.String()),
  series: Nullable(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      part: Nullable(Type.Integer({ description: 'Its place in the series.' })),
    }),
  ),
  language: Nullable(Type.String({ description: 'A tag of BCP 47; null where it cannot be told.' })),
  readingTimeMinutes: Nullable(Type.Integer({ description: 'Null for a moment after a publish.' })),
  coverImage: Nullable(
    Type.String({ description: 'The address of a picture, as its author gave it; it may hold what a URI cannot.' }),
  ),
  publishedAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
  links: Type.Object({
    markdown: Address('The text as Markdown.'),
    document: Address('The JSON document for agents, with the plain text.'),
    description: Address('The structured description.'),
  }),
  snippet: Type.Optional(
    Type.Array(Type.Object({ text: Type.String(), match: Type.Boolean() }), {
      description:
        'With q: a place of the plain text, in pieces that follow each other; `match` marks what was searched for.',
    }),
  ),
});

export type ArticleEntry = Static<typeof ArticleEntrySchema>;

export const ArticleListSchema = Type.Object({
  data: Type.Array(ArticleEntrySchema),
  next: Nullable(Type.String({ description: 'For `after` of the next page; null on the last one.' })),
});
