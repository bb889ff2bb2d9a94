/** GraphQL type of an article, visible to its author. */
import { buildArticleUrl } from '../../../article/identity/slug.ts';
import type { Notice as WarningRow } from '../../../article/types.ts';
import { listArticleNotices } from '../../../store/articles/article-notices.ts';
import type { OwnArticle } from '../../../store/articles/own-articles.ts';
import { listOwnDeliveries } from '../../../store/deliveries/list.ts';
import { listSeriesByIds } from '../../../store/series/list-series.ts';
import { Delivery } from '../../deliveries/graphql/deliveries.ts';
import { builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { Series } from '../series/type.ts';
import { Notice, Warning } from './notices.ts';
import '../../graphql/date-time.ts';

export const ArticleStatus = builder.enumType('ArticleStatus', {
  description: 'The states of the specification.',
  values: {
    DRAFT: { description: 'Nobody but its author sees it.' },
    PUBLISHED: { description: 'Public.' },
    SCHEDULED: { description: 'Becomes public at scheduledAt.' },
  } as const,
});

export interface ArticleRow extends OwnArticle {
  /** Only in the response to a command. */
  warnings?: WarningRow[];
}

export const Article = builder.objectRef<ArticleRow>('Article').implement({
  description: 'One of your articles.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Stays the same whatever else changes.' }),
    slug: t.exposeString('slug', { description: 'Its name in addresses.' }),
    title: t.exposeString('title', { description: 'As readers see it.' }),
    status: t.expose('status', { type: ArticleStatus, description: 'Who sees it.' }),
    revision: t.exposeInt('revision', {
      description: 'Counts its changes. A delivery has it as deliveredRevision once the destination has this one.',
    }),
    url: t.string({
      description: 'Where readers find it here, once it is public.',
      resolve: ({ slug }, _args, { deps }) => buildArticleUrl(deps.config.baseUrl, slug),
    }),
    tags: t.exposeStringList('tags', { description: 'Its topics, in the order in which they were given.' }),
    seriesId: t.exposeID('seriesId', { nullable: true, description: 'The id of that series; null where none.' }),
    series: t.loadable({
      type: Series,
      nullable: true,
      description: 'The series it is part of; null where none.',
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
      description: 'When it becomes public; null where it is not scheduled.',
    }),
    scheduledZone: t.exposeString('scheduledZone', {
      nullable: true,
      description: 'The zone in which the time was given, where it was.',
    }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it became public; null where it never was.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was first sent here.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    deliveries: t.loadableGroup({
      type: Delivery,
      complexity: { field: 1, multiplier: 5 },
      description: 'What became of it at each destination.',
      load: (articleIds: string[], context) =>
        listOwnDeliveries(context.deps.db, { authorId: requireUser(context), articleIds }),
      group: ({ articleId }) => articleId,
      resolve: ({ id }) => id,
      loaderOptions: { cache: false },
    }),
    notices: t.loadableGroup({
      type: Notice,
      description:
        'Newest first: a schedule that fired late or was moved by new rules of its zone, destinations that changed since, a credential that is refused.',
      load: (articleIds: string[], { deps }) => listArticleNotices(deps.db, articleIds),
      group: ({ articleId }) => articleId,
      resolve: ({ id }) => id,
      loaderOptions: { cache: false },
    }),
    warnings: t.field({
      type: [Warning],
      complexity: { field: 1, multiplier: 5 },
      description: 'Of the command that answers with this article; empty elsewhere.',
      resolve: ({ warnings }) => warnings ?? [],
    }),
  }),
});
