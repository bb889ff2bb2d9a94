/** GraphQL type of an article, visible to its author. */
import { buildArticleUrl } from '../../../article/identity/slug.ts';
import type { Notice as WarningRow } from '../../../article/types.ts';
import { listArticleNotices } from '../../../store/articles/article-notices.ts';
import type { OwnArticle } from '../../../store/articles/own-articles.ts';
import { listOwnDeliveries } from '../../../store/deliveries/list.ts';
import { listSeriesByIds } from '../../../store/series/list-series.ts';
import { Delivery } from '../../deliveries/graphql.ts';
import { builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { Series } from '../series/type.ts';

export const ArticleStatus = builder.enumType('ArticleStatus', {
  description: 'The publication state of an article.',
  values: {
    DRAFT: { description: 'Visible only to its author.' },
    PUBLISHED: { description: 'Public.' },
    SCHEDULED: { description: 'Becomes public at scheduledAt.' },
  } as const,
});

export interface ArticleRow extends OwnArticle {
  /** Only in the response to a mutation. */
  warnings?: WarningRow[];
}

export const Article = builder.objectRef<ArticleRow>('Article').implement({
  description: 'One of your articles.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the article. It never changes.' }),
    slug: t.exposeString('slug', { description: 'The name of the article in its URL.' }),
    title: t.exposeString('title', { description: 'The title that readers see.' }),
    status: t.expose('status', { type: ArticleStatus, description: 'The publication state.' }),
    revision: t.exposeInt('revision', {
      description:
        'The number of the current revision. A delivery has the same deliveredRevision once its destination has this revision.',
    }),
    url: t.string({
      description: 'The URL of the article on this site, once it is public.',
      resolve: ({ slug }, _args, { deps }) => buildArticleUrl(deps.config.baseUrl, slug),
    }),
    tags: t.exposeStringList('tags', { description: 'The tags, in the order in which the author wrote them.' }),
    seriesId: t.exposeID('seriesId', {
      nullable: true,
      description: 'The id of the series; null if the article is in none.',
    }),
    series: t.loadable({
      type: Series,
      nullable: true,
      description: 'The series that contains the article; null if there is none.',
      load: async (ids: string[], context) => {
        const found = await listSeriesByIds(context.deps.db, requireUser(context), ids);
        return ids.map((id) => found.find((series) => series.id === id) ?? null);
      },
      resolve: ({ seriesId }) => seriesId,
      loaderOptions: { cache: false },
    }),
    scheduledAt: t.expose('scheduledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the article becomes public; null if it is not scheduled.',
    }),
    scheduledZone: t.exposeString('scheduledZone', {
      nullable: true,
      description: 'The time zone of the schedule, if the author specified one.',
    }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the article became public; null if it never did.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the article was first sent to this server.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'The time of the last change.' }),
    deliveries: t.loadableGroup({
      type: Delivery,
      complexity: { field: 1, multiplier: 5 },
      description: 'The deliveries of the article, one per destination.',
      load: (articleIds: string[], context) =>
        listOwnDeliveries(context.deps.db, { authorId: requireUser(context), articleIds }),
      group: ({ articleId }) => articleId,
      resolve: ({ id }) => id,
      loaderOptions: { cache: false },
    }),
    notices: t.loadableGroup({
      type: Notice,
      description:
        'Notices, newest first: a schedule that ran late or moved because its time zone rules changed, destinations that changed since, a rejected credential.',
      load: (articleIds: string[], { deps }) => listArticleNotices(deps.db, articleIds),
      group: ({ articleId }) => articleId,
      resolve: ({ id }) => id,
      loaderOptions: { cache: false },
    }),
    warnings: t.field({
      type: [Warning],
      complexity: { field: 1, multiplier: 5 },
      description: 'The warnings of the command that returned this article; empty elsewhere.',
      resolve: ({ warnings }) => warnings ?? [],
    }),
  }),
});

type NoticeRow = Awaited<ReturnType<typeof listArticleNotices>>[number];

const Notice = builder.objectRef<NoticeRow>('Notice').implement({
  description: 'A notice for the author of an article.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'A stable code for programs.' }),
    message: t.exposeString('message', { description: 'The text for people: what happened and what to do next.' }),
    at: t.expose('createdAt', { type: 'DateTime', description: 'The time at which the notice was created.' }),
  }),
});

export const Warning = builder.objectRef<{ code: string; message: string; path?: string | null }>('Warning').implement({
  description: 'How a command was interpreted, or what it leaves unchanged, in case the author meant something else.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'A stable code for programs.' }),
    message: t.exposeString('message', { description: 'The text for people.' }),
    path: t.exposeString('path', {
      nullable: true,
      description: 'The argument that the warning is about, or the destination as cross_post.<key>.',
    }),
  }),
});
