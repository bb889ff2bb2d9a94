/** Instants are sent as ISO 8601 in UTC. Given times are parsed where they are needed, with the messages that authors know from frontmatter. */
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
