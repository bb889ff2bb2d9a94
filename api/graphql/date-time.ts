/** Instants go out as ISO 8601 in UTC. What comes in is read where it is needed, with the words that authors know from frontmatter. */
import { GraphQLScalarType } from 'graphql';
import type { GraphqlModule } from './module.ts';

const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize: (value) => (value as Date).toISOString(),
});

export const dateTimeModule = {
  typeDefs: `
    "An instant: ISO 8601, in UTC."
    scalar DateTime
  `,
  resolvers: { DateTime },
} as unknown as GraphqlModule;
