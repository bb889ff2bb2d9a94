/** The GraphQL schema. Small for now; accounts and the rest grow here, a file a subject. */
export const typeDefs = `
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

  type Query {
    "Null where nobody is signed in."
    me: User
  }

  type Mutation {
    "Opens a session. Errors: UNAUTHENTICATED, RATE_LIMITED."
    login(email: String!, password: String!): Session!
  }
`;
