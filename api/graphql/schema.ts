/** The GraphQL schema, put together from its subjects. */
import type { GraphqlModule } from './module.ts';

/** The roots that the modules extend. */
const ROOTS = `
  "The keys of cross_post."
  enum Destination { blogsite_a blogsite_b blogsite_c cms_site social_feed }

  type Query
  type Mutation
`;

export function composeSchema(modules: readonly GraphqlModule[]): GraphqlModule {
  const resolvers: GraphqlModule['resolvers'] = {};
  for (const module of modules) {
    for (const [type, fields] of Object.entries(module.resolvers)) resolvers[type] = { ...resolvers[type], ...fields };
  }
  return { typeDefs: [ROOTS, ...modules.map((module) => module.typeDefs)].join('\n'), resolvers };
}
