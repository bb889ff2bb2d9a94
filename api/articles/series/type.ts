/** GraphQL type of a series, visible to its author. */
import { countParts, type OwnSeries } from '../../../store/series/list-series.ts';
import { builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import '../../graphql/date-time.ts';

export const Series = builder.objectRef<OwnSeries>('Series').implement({
  description: 'One of your series. Its articles, in their order: `articles(filter: { seriesId })`, or `series(id)`.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'For series_id in frontmatter, where the title does as well.' }),
    title: t.exposeString('title', { description: 'No two of yours have the same, in any case.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    articleCount: t.loadable({
      type: 'Int',
      description: 'Articles that are part of it, drafts too.',
      load: async (ids: string[], context) => {
        const counts = await countParts(context.deps.db, requireUser(context), ids);
        return ids.map((id) => counts.get(id) ?? 0);
      },
      resolve: ({ id }) => id,
      loaderOptions: { cache: false },
    }),
  }),
});
