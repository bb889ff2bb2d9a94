/** GraphQL types of imports and their items, visible to their author. */
import DataLoader from 'dataloader';
import { buildArticleUrl } from '../../../article/identity/slug.ts';
import type { Database } from '../../../store/db/database.ts';
import {
  type ImportItemRow,
  type ItemsPage,
  listImportItems,
  type OwnImport,
} from '../../../store/imports/own-imports.ts';
import { builder } from '../../graphql/builder.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../../graphql/pages.ts';
import { ArticleStatus, Warning } from '../graphql/article.ts';

export const ImportSource = builder.enumType('ImportSource', {
  description: 'A source of imports.',
  values: {
    BLOGSITE_A: { value: 'blogsite_a', description: 'DEV or another Forem: a user name, or the URL of the profile.' },
    BLOGSITE_B: { value: 'blogsite_b', description: 'Hashnode: the host of the blog, or a user name.' },
    BLOGSITE_C: {
      value: 'blogsite_c',
      description: 'Medium: a user name. Its feed contains only the ten newest stories.',
    },
    RSS: { value: 'rss', description: 'Any blog: the URL of its feed (RSS, RDF, Atom, JSON Feed).' },
  } as const,
});

const ImportState = builder.enumType('ImportState', {
  description: 'The state of an import.',
  values: {
    RUNNING: {
      value: 'running',
      description: 'The import runs in the background, whether or not its author is signed in.',
    },
    DONE: { value: 'done', description: 'Every listed post has an outcome.' },
    FAILED: { value: 'failed', description: 'The import could not continue; see reason. Imported articles stay.' },
    CANCELLED: { value: 'cancelled', description: 'Its author cancelled the import. Imported articles stay.' },
  } as const,
});

export const ImportImages = builder.enumType('ImportImages', {
  description: 'How pictures in imported posts are handled.',
  values: {
    KEEP: { value: 'keep', description: 'The articles refer to the pictures at their original addresses.' },
    COPY: {
      value: 'copy',
      description:
        'The pictures are copied to this server, and the articles show these files. A picture that cannot be downloaded stays at its original address.',
    },
  } as const,
});

const ImportOutcome = builder.enumType('ImportOutcome', {
  description: 'The outcome of a post; in a dry run, the expected outcome.',
  values: {
    CREATED: { value: 'created', description: 'The post was imported as a new article.' },
    PRESENT: { value: 'present', description: 'The post was already here and was not changed.' },
    REFUSED: { value: 'refused', description: 'The post was not imported; see reason.' },
  } as const,
});

type Counts = Pick<OwnImport, 'listed' | 'created' | 'present' | 'refused' | 'adopted'>;

const ImportCounts = builder.objectRef<Counts>('ImportCounts').implement({
  description: 'The progress of an import.',
  fields: (t) => ({
    listed: t.exposeInt('listed', { description: 'The number of posts that the source has listed so far.' }),
    created: t.exposeInt('created', { description: 'The number of posts imported as new articles.' }),
    present: t.exposeInt('present', { description: 'The number of posts that were already here.' }),
    refused: t.exposeInt('refused', { description: 'The number of posts that were not imported.' }),
    waiting: t.int({
      description: 'The number of posts without an outcome yet.',
      resolve: ({ listed, created, present, refused }) => listed - created - present - refused,
    }),
    adopted: t.exposeInt('adopted', {
      description: 'The number of posts that are now copies of their articles, which the next publish updates.',
    }),
  }),
});

type ArticleRow = { id: string; slug: string; status: NonNullable<ImportItemRow['status']> };

const ImportedArticle = builder.objectRef<ArticleRow>('ImportedArticle').implement({
  description: 'The article of an imported post.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, for article(id).' }),
    slug: t.exposeString('slug', { description: 'The name of the article in its URL.' }),
    status: t.expose('status', { type: ArticleStatus, description: 'The publication state.' }),
    url: t.string({
      description: 'The URL of the article on this site, once it is public.',
      resolve: ({ slug }, _args, { deps }) => buildArticleUrl(deps.config.baseUrl, slug),
    }),
  }),
});

const ImportItem = builder.objectRef<ImportItemRow>('ImportItem').implement({
  description: 'A post of the source.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'The position in the order of the source, counted from 1.' }),
    title: t.exposeString('title', { description: 'The title at the source; it may be empty.' }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'The URL at the source; null if the source does not report it.',
    }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The publication time at the source.',
    }),
    outcome: t.expose('outcome', {
      type: ImportOutcome,
      nullable: true,
      description: 'The outcome; null while the post has none.',
    }),
    code: t.exposeString('code', { nullable: true, description: 'The code of a refusal, for programs.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why the post was refused, or how it was matched to an article here.',
    }),
    adopted: t.exposeBoolean('adopted', {
      description: 'Whether the post at the source is now a copy of the article, which the next publish updates.',
    }),
    warnings: t.field({
      type: [Warning],
      complexity: { field: 1, multiplier: 5 },
      description: 'The differences between the article and the post at the source.',
      resolve: ({ warnings }) => warnings,
    }),
    article: t.field({
      type: ImportedArticle,
      nullable: true,
      description: 'The article; null if there is none, or it was deleted.',
      resolve: ({ articleId, slug, status }) =>
        articleId === null || slug === null || status === null ? null : { id: articleId, slug, status },
    }),
  }),
});

const ImportItemConnection = createConnectionType(ImportItem, {
  name: 'ImportItem',
  description: 'A page of posts.',
  edge: 'A post in a list.',
});

function readItems(db: Database, importIds: string[], args: Parameters<typeof pageCost>[0]) {
  const pages = new DataLoader(
    async (keys: readonly (ItemsPage & { limit: number })[]) => listImportItems(db, keys, keys[0]?.limit ?? 0),
    { cache: false },
  );
  const readItemPage = (importId: string) =>
    readPage({
      args,
      list: ['importItems', importId],
      readPosition: ({ number }) =>
        Number.isInteger(number) && Math.abs(Number(number)) < 2 ** 31 ? { number: Number(number) } : null,
      // All imports have the same arguments, so `limit` is equal for all keys.
      load: (limit, after) => pages.load({ importId, limit, after: after?.number ?? null }),
      locate: ({ number }) => ({ number }),
    }).catch((error: Error) => error);
  return Promise.all(importIds.map(readItemPage));
}

const Import = builder.objectRef<OwnImport>('Import').implement({
  description: 'One of your imports.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id that importArticles returned.' }),
    source: t.expose('source', { type: ImportSource, description: 'The source of the import.' }),
    identifier: t.exposeString('identifier', { description: 'The identifier that you entered.' }),
    state: t.expose('state', { type: ImportState, description: 'The state of the import.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why the import failed.' }),
    isListed: t.exposeBoolean('isListed', { description: 'Whether all posts of the source have been listed.' }),
    waitsUntil: t.expose('waitsUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the next request, if the source requires a pause or is unavailable.',
    }),
    dryRun: t.exposeBoolean('dryRun', { description: 'Whether the import is a dry run, which stores nothing.' }),
    draft: t.exposeBoolean('asDraft', { description: 'Whether its articles become drafts.' }),
    images: t.expose('images', { type: ImportImages, description: 'How pictures are handled.' }),
    counts: t.field({ type: ImportCounts, description: 'The progress of the import.', resolve: (row) => row }),
    notices: t.field({
      type: [Warning],
      complexity: { field: 1, multiplier: 5 },
      description: 'Warnings about the whole import: posts that the source does not expose, or that exceed the limit.',
      resolve: ({ notices }) => notices,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'The time at which you started the import.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the import ended; null while it is running.',
    }),
    items: t.loadable({
      type: ImportItemConnection,
      byPath: true,
      complexity: pageCost,
      description: 'The posts, in the order of the source: newest first. Errors: BAD_CURSOR, BAD_INPUT.',
      args: pageArgs,
      load: (ids: string[], { deps }, args) => readItems(deps.db, ids, args),
      resolve: ({ id }) => id,
      loaderOptions: { cache: false },
    }),
  }),
});

export { Import };
