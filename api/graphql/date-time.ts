/** Instants are sent as ISO 8601 in UTC. Given times are parsed where they are needed, with the messages that authors know from frontmatter. */
import { builder } from './builder.ts';

builder.scalarType('DateTime', {
  description: 'An instant: ISO 8601, in UTC.',
  serialize: (value) => value.toISOString(),
});
