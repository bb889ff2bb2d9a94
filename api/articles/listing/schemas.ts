/** REST schemas of an article list and its entries. */
import { type Static, Type } from 'typebox';

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const Address = (description: string) => Type.String({ format: 'uri', description });

export const ArticleEntrySchema = Type.Object({
  slug: Type.String({
    description: 'The name of the article on this site. Only its author can change it; the former slug then redirects.',
  }),
  title: Type.String(),
  subtitle: Nullable(Type.String()),
  excerpt: Type.String({ description: 'The author’s own excerpt, else the first sentences.' }),
  url: Address('The URL of the article on this site.'),
  canonicalUrl: Address('The canonical URL of the article. Cite this one.'),
  author: Type.Object({ name: Type.String(), username: Type.String(), url: Address('The author’s page.') }),
  tags: Type.Array(Type.String()),
  series: Nullable(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      part: Nullable(Type.Integer({ description: 'The position in the series.' })),
    }),
  ),
  language: Nullable(Type.String({ description: 'A BCP 47 language tag; null if the language is not known.' })),
  readingTimeMinutes: Nullable(Type.Integer({ description: 'Null for a moment after a publish.' })),
  coverImage: Nullable(
    Type.String({
      description:
        'The address of the cover image, as its author wrote it; it may contain characters that a URI cannot.',
    }),
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
      description: 'With q: a passage of the plain text, in consecutive pieces; `match` marks the search terms.',
    }),
  ),
});

export type ArticleEntry = Static<typeof ArticleEntrySchema>;

export const ArticleListSchema = Type.Object({
  data: Type.Array(ArticleEntrySchema),
  next: Nullable(Type.String({ description: 'The value of `after` for the next page; null on the last one.' })),
});
