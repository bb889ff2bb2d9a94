/** The part of Hashnode's GraphQL schema that publishing needs, with our own descriptions. */
import { buildSchema } from 'graphql';

const HASHNODE_SDL = `
"A moment, ISO 8601."
scalar DateTime

"Twenty-four hexadecimal digits."
scalar ObjectId

type Query {
  "Whose token this is."
  me: MyUser
  "One post, open to everybody."
  post(id: ID!): Post
  "By id or by bare host. Only for publications on the Pro plan."
  publication(id: ObjectId, host: String): Publication
  "A person, with posts that are open to everybody."
  user(username: String!): User
}

type Mutation {
  "A new post, public at once."
  publishPost(input: PublishPostInput!): PublishPostPayload!
  "Changes what is given, leaves the rest."
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
  "Null where no post has this slug."
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
  "Made from the title where absent."
  slug: String
  "Fifteen at most; unknown ones come into being."
  tags: [PublishPostTagInput!]
  "Where the article first appeared."
  originalArticleURL: String
  metaTitle: String
  metaDescription: String
  ogImage: String
  disableComments: Boolean
  "Reachable by its address, in no list."
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
  "The slug where absent."
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
