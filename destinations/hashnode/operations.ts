/** The GraphQL documents that are sent to Hashnode. No others are sent. */

export const PROBE = `query Probe($publicationId: ObjectId!) {
  me { id username }
  publication(id: $publicationId) { id title url }
}`;

export const FIND_BY_SLUG = `query FindBySlug($publicationId: ObjectId!, $slug: String!) {
  publication(id: $publicationId) {
    id
    post(slug: $slug) { id title url canonicalUrl publishedAt updatedAt }
  }
}`;

export const FIND_BY_CANONICAL = `query FindByCanonical($publicationId: ObjectId!, $first: Int!, $after: String) {
  publication(id: $publicationId) {
    id
    posts(first: $first, after: $after) {
      edges { node { id title url canonicalUrl publishedAt updatedAt } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

export const PUBLISH_POST = `mutation PublishPost($input: PublishPostInput!) {
  publishPost(input: $input) { post { id slug url canonicalUrl publishedAt updatedAt } }
}`;

export const UPDATE_POST = `mutation UpdatePost($input: UpdatePostInput!) {
  updatePost(input: $input) { post { id slug url canonicalUrl publishedAt updatedAt } }
}`;

/** Anybody may read a post. `me` detects an invalid token before the post is checked. */
export const POST_BEFORE_CHANGE = `query PostBeforeChange($id: ID!) {
  me { id }
  post(id: $id) { id url publication { id } publishedAt updatedAt preferences { isDelisted } }
}`;
