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
import { ArticleStatus } from '../graphql/article.ts';
import { Warning } from '../graphql/notices.ts';
import '../../graphql/date-time.ts';

export const ImportSource = builder.enumType('ImportSource', {
  description: 'Where articles can be imported from.',
  values: {
    BLOGSITE_A: {
      value: 'blogsite_a',
      description: 'DEV, or another Forem: by user name, or the address of the profile.',
    },
    BLOGSITE_B: { value: 'blogsite_b', description: 'Hashnode: by the host of the blog, or by user name.' },
    BLOGSITE_C: { value: 'blogsite_c', description: 'Medium: by user name. Its feed has the ten newest stories only.' },
    RSS: { value: 'rss', description: 'Any blog: by the address of its feed (RSS, RDF, Atom, JSON Feed).' },
  } as const,
});

const ImportState = builder.enumType('ImportState', {
  description: 'How an import stands.',
  values: {
    RUNNING: { value: 'running', description: 'It goes on by itself, whoever is signed in.' },
    DONE: { value: 'done', description: 'Every post that was listed has an outcome.' },
    FAILED: { value: 'failed', description: 'It could not go on; reason says why. What was imported stays.' },
    CANCELLED: { value: 'cancelled', description: 'Its author ended it. What was imported stays.' },
  } as const,
});

export const ImportImages = builder.enumType('ImportImages', {
  description: 'What becomes of the pictures in imported posts.',
  values: {
    KEEP: { value: 'keep', description: 'They stay where they are.' },
    COPY: {
      value: 'copy',
      description: 'They are copied here, and the articles show the copies. One that cannot be had stays where it is.',
    },
  } as const,
});

const ImportOutcome = builder.enumType('ImportOutcome', {
  description: 'What became of a post. Of a dry run, what would become of it.',
  values: {
    CREATED: { value: 'created', description: 'It is an article here now.' },
    PRESENT: { value: 'present', description: 'It was here already, and was left as it is.' },
    REFUSED: { value: 'refused', description: 'It was not imported; reason says why.' },
  } as const,
});

type Counts = Pick<OwnImport, 'listed' | 'created' | 'present' | 'refused' | 'adopted'>;

const ImportCounts = builder.objectRef<Counts>('ImportCounts').implement({
  description: 'How far an import has come.',
  fields: (t) => ({
    listed: t.exposeInt('listed', { description: 'Posts that the source has listed so far.' }),
    created: t.exposeInt('created', { description: 'Those that are new articles.' }),
    present: t.exposeInt('present', { description: 'Those that were here already.' }),
    refused: t.exposeInt('refused', { description: 'Those that were not imported.' }),
    waiting: t.int({
      description: 'Those that have no outcome yet.',
      resolve: ({ listed, created, present, refused }) => listed - created - present - refused,
    }),
    adopted: t.exposeInt('adopted', { description: 'Those whose copy at the source the next publish updates.' }),
  }),
});

type ArticleRow = { id: string; slug: string; status: NonNullable<ImportItemRow['status']> };

const ImportedArticle = builder.objectRef<ArticleRow>('ImportedArticle').implement({
  description: 'The article that a post is here.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'For article(id).' }),
    slug: t.exposeString('slug', { description: 'Its name in addresses.' }),
    status: t.expose('status', { type: ArticleStatus, description: 'Who sees it.' }),
    url: t.string({
      description: 'Where readers find it here, once it is public.',
      resolve: ({ slug }, _args, { deps }) => buildArticleUrl(deps.config.baseUrl, slug),
    }),
  }),
});

const ImportItem = builder.objectRef<ImportItemRow>('ImportItem').implement({
  description: 'One post of the source.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Its place in the order of the source, from 1.' }),
    title: t.exposeString('title', { description: 'As the source has it; it may be empty.' }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'Where it stands there; null where the source does not say.',
    }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was published there.',
    }),
    outcome: t.expose('outcome', { type: ImportOutcome, nullable: true, description: 'Null while it has none.' }),
    code: t.exposeString('code', { nullable: true, description: 'Of a refusal, for programs.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why it was refused, or by what it was found here.',
    }),
    adopted: t.exposeBoolean('adopted', {
      description: 'Whether its copy at the source is a delivery of the article now: the next publish updates it.',
    }),
    warnings: t.field({
      type: [Warning],
      complexity: { field: 1, multiplier: 5 },
      description: 'What of it is not as it was there.',
      resolve: ({ warnings }) => warnings,
    }),
    article: t.field({
      type: ImportedArticle,
      nullable: true,
      description: 'Null where it is none, or was deleted.',
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

/** Reads the items of several imports in one query. */
function readItems(db: Database, importIds: string[], args: Parameters<typeof pageCost>[0]) {
  const pages = new DataLoader(
    async (keys: readonly (ItemsPage & { limit: number })[]) => listImportItems(db, keys, keys[0]?.limit ?? 0),
    { cache: false },
  );
  const readOne = (importId: string) =>
    readPage({
      args,
      list: ['importItems', importId],
      readPosition: ({ number }) =>
        Number.isSafeInteger(number) && Number(number) < 2 ** 31 ? { number: Number(number) } : null,
      // All imports have the same arguments, so `limit` is equal for all keys.
      load: (limit, after) => pages.load({ importId, limit, after: after?.number ?? null }),
      locate: ({ number }) => ({ number }),
    }).catch((error: Error) => error);
  return Promise.all(importIds.map(readOne));
}

const Import = builder.objectRef<OwnImport>('Import').implement({
  description: 'One of your imports.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'As importArticles answered it.' }),
    source: t.expose('source', { type: ImportSource, description: 'Where from.' }),
    identifier: t.exposeString('identifier', { description: 'As you gave it.' }),
    state: t.expose('state', { type: ImportState, description: 'How it stands.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it failed.' }),
    isListed: t.exposeBoolean('isListed', { description: 'Whether the source has been listed to its end.' }),
    waitsUntil: t.expose('waitsUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'When the source is asked again, where it asked for a pause or is away.',
    }),
    dryRun: t.exposeBoolean('dryRun', { description: 'Whether nothing is stored.' }),
    draft: t.exposeBoolean('asDraft', { description: 'Whether its articles become drafts.' }),
    images: t.expose('images', { type: ImportImages, description: 'What becomes of the pictures.' }),
    counts: t.field({ type: ImportCounts, description: 'How far it has come.', resolve: (row) => row }),
    notices: t.field({
      type: [Warning],
      complexity: { field: 1, multiplier: 5 },
      description: 'What you should know of the whole: posts that the source does not give out, or that were too many.',
      resolve: ({ notices }) => notices,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When you ordered it.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true, description: 'Null while it is running.' }),
    items: t.loadable({
      type: ImportItemConnection,
      byPath: true,
      complexity: pageCost,
      description: 'The posts, in the order of the source: the newest first. Errors: BAD_CURSOR, BAD_INPUT.',
      args: pageArgs,
      load: (ids: string[], { deps }, args) => readItems(deps.db, ids, args),
      resolve: ({ id }) => id,
      loaderOptions: { cache: false },
    }),
  }),
});

export { Import };
