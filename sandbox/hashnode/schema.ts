/** The part of Hashnode's GraphQL schema that deliveries and imports use. */
import { buildSchema } from 'graphql';

/** The fields that both mutations accept. */
const POST_INPUT = `
  subtitle: String
  coverImage: String
  slug: String
  tags: [PublishPostTagInput!]
  originalArticleURL: String
  metaDescription: String
  disableComments: Boolean
  isDelisted: Boolean
  enableToc: Boolean`;

export const hashnodeSchema = buildSchema(`
scalar DateTime
scalar ObjectId

type Query {
  me: MyUser
  post(id: ID!): Post
  publication(id: ObjectId, host: String): Publication
  user(username: String!): User
}

type Mutation {
  publishPost(input: PublishPostInput!): PublishPostPayload!
  updatePost(input: UpdatePostInput!): UpdatePostPayload!
}

type MyUser {
  id: ID!
  username: String!
}

type User {
  id: ID!
  username: String!
  posts(first: Int!, after: String): PostConnection!
}

type Publication {
  id: ID!
  title: String!
  url: String
  post(slug: String!): Post
  posts(first: Int!, after: String): PostConnection!
}

type Post {
  id: ID!
  title: String!
  subtitle: String
  slug: String!
  url: String!
  content: Content!
  coverImage: CoverImage
  author: User!
  publication: Publication
  tags: [Tag!]
  publishedAt: DateTime!
  updatedAt: DateTime
  canonicalUrl: String
  series: Series
  preferences: PostPreferences!
}

type Content { markdown: String! }
type CoverImage { url: String }
type Series { name: String! }
type PostPreferences { isDelisted: Boolean! }
type Tag { name: String!, slug: String! }

type PostConnection {
  edges: [PostEdge!]!
  pageInfo: PageInfo!
}

type PostEdge { node: Post! }
type PageInfo { endCursor: String, hasNextPage: Boolean! }

input PublishPostInput {
  publicationId: ObjectId!
  title: String!
  contentMarkdown: String!${POST_INPUT}
}

input UpdatePostInput {
  id: ID!
  title: String
  contentMarkdown: String${POST_INPUT}
}

input PublishPostTagInput { slug: String!, name: String }
type PublishPostPayload { post: Post! }
type UpdatePostPayload { post: Post! }
`);
