/** Who is signed in, and signing in. */
import { findUserById } from '../../store/users/find-user.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import { login } from '../accounts/login.ts';
import { describeClient } from '../accounts/open-session.ts';
import type { GraphqlModule } from './module.ts';

const typeDefs = `
  "The signed-in author."
  type User {
    id: ID!
    username: String!
    name: String!
    email: String!
  }

  type Session {
    "A JWT for this endpoint and for /notifications/sse-token; valid for one hour."
    accessToken: String!
  }

  extend type Query {
    "Null where nobody is signed in."
    me: User
  }

  extend type Mutation {
    "Opens a session. Errors: UNAUTHENTICATED, RATE_LIMITED."
    login(email: String!, password: String!): Session!
  }
`;

export function createPeopleModule(deps: AccountDeps): GraphqlModule {
  return {
    typeDefs,
    resolvers: {
      Query: {
        me: (_root, _args, { request }) =>
          request.sessionUserId === null ? null : findUserById(deps.db, request.sessionUserId),
      },
      Mutation: {
        login: (_root, args: { email: string; password: string }, { request }) =>
          login(deps, describeClient(request), args),
      },
    },
  };
}
