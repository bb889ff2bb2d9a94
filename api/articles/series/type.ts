/** GraphQL type of a series, visible to its author. */
import { countParts, type OwnSeries } from '../../../store/series/list-series.ts';
import { builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';

export const Series = builder.objectRef<OwnSeries>('Series').implement({
  description: 'One of your series. `articles(filter: { seriesId })` and `series(id)` return its articles in order.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, for series_id in frontmatter, which also accepts the title.' }),
    title: t.exposeString('title', { description: 'The title, unique among your series regardless of case.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'The time at which the series was created.' }),
    articleCount: t.loadable({
      type: 'Int',
      description: 'The number of articles in the series, including drafts.',
      load: async (ids: string[], context) => {
        const counts = await countParts(context.deps.db, requireUser(context), ids);
        return ids.map((id) => counts.get(id) ?? 0);
      },
      resolve: ({ id }) => id,
      loaderOptions: { cache: false },
    }),
  }),
});
