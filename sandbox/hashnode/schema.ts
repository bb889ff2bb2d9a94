/** The part of Hashnode's GraphQL schema that publishing needs, with our own descriptions. */
import { buildSchema } from 'graphql';

const HASHNODE_SDL = `
"A time in ISO 8601."
scalar DateTime

"Twenty-four hexadecimal digits."
scalar ObjectId

type Query {
  "The owner of the token."
  me: MyUser
  "One post. Public."
  post(id: ID!): Post
  "A publication by id or host name. Only on the Pro plan."
  publication(id: ObjectId, host: String): Publication
  "A user with public posts."
  user(username: String!): User
}

type Mutation {
  "Creates a post, which is public immediately."
  publishPost(input: PublishPostInput!): PublishPostPayload!
  "Updates the specified fields of a post."
  updatePost(input: UpdatePostInput!): UpdatePostPayload!
}

type MyUser {
  id: ID!
  username: String!
  name: String!
  publications(first: Int!, after: String): PublicationConnection!
}

type User {
  id: ID!
  username: String!
  name: String!
  posts(first: Int!, after: String): PostConnection!
}

type Publication {
  id: ID!
  title: String!
  displayTitle: String
  url: String
  author: User!
  "Null if no post has this slug."
  post(slug: String!): Post
  "Newest first, without delisted ones."
  posts(first: Int!, after: String): PostConnection!
  isTeam: Boolean!
}

type Post {
  id: ID!
  title: String!
  subtitle: String
  slug: String!
  url: String!
  content: Content!
  brief: String!
  coverImage: CoverImage
  author: User!
  publication: Publication
  tags: [Tag!]
  publishedAt: DateTime!
  updatedAt: DateTime
  canonicalUrl: String
  series: Series
  seo: SEO
  preferences: PostPreferences!
}

type Content {
  markdown: String!
  html: String!
  text: String!
}

type CoverImage {
  url: String
}

type Series {
  id: ID!
  name: String!
  slug: String!
}

type SEO {
  title: String
  description: String
}

type PostPreferences {
  disableComments: Boolean!
  isDelisted: Boolean!
}

type Tag {
  id: ID!
  name: String!
  slug: String!
}

type PostConnection {
  edges: [PostEdge!]!
  pageInfo: PageInfo!
  totalDocuments: Int
}

type PostEdge {
  node: Post!
  cursor: String!
}

type PublicationConnection {
  edges: [PublicationEdge!]!
  pageInfo: PageInfo!
}

type PublicationEdge {
  node: Publication!
  cursor: String!
}

type PageInfo {
  endCursor: String
  hasNextPage: Boolean!
}

input PublishPostInput {
  publicationId: ObjectId!
  title: String!
  subtitle: String
  contentMarkdown: String!
  coverImage: String
  "Derived from the title if absent."
  slug: String
  "At most 15. Unknown tags are created."
  tags: [PublishPostTagInput!]
  "The original address of the article."
  originalArticleURL: String
  metaTitle: String
  metaDescription: String
  ogImage: String
  disableComments: Boolean
  "Hidden from lists, but reachable by its address."
  isDelisted: Boolean
  enableToc: Boolean
  publishedAt: DateTime
}

input UpdatePostInput {
  id: ID!
  title: String
  subtitle: String
  contentMarkdown: String
  coverImage: String
  slug: String
  tags: [PublishPostTagInput!]
  originalArticleURL: String
  metaTitle: String
  metaDescription: String
  ogImage: String
  disableComments: Boolean
  isDelisted: Boolean
  enableToc: Boolean
  publishedAt: DateTime
}

input PublishPostTagInput {
  slug: String!
  "The slug if absent."
  name: String
}

type PublishPostPayload {
  post: Post!
}

type UpdatePostPayload {
  post: Post!
}
`;

export const hashnodeSchema = buildSchema(HASHNODE_SDL);
