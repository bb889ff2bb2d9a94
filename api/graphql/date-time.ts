/**
 * Serializes instants as ISO 8601 in UTC. Input times are strings, which their resolvers parse to
 * reuse the messages of frontmatter times.
 */
import { builder } from './builder.ts';

builder.scalarType('DateTime', {
  description: 'A point in time, as ISO 8601 in UTC.',
  serialize: (value) => value.toISOString(),
});
