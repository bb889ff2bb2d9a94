/** Resolvers of the simulated Hashnode, as the root value that graphql-js walks. */
import { createHash } from 'node:crypto';
import { findOwner, type HashnodeAccount } from '../accounts.ts';
import {
  buildApiError,
  buildBadInput,
  checkObjectId,
  checkPlan,
  findPublisher,
  type HashnodeContext,
  type HashnodePost,
  listPosts,
  listPublications,
  type PostInput,
  publishPost,
  updatePost,
} from './posts.ts';

/** `token` is from the Authorization header, without its prefix. Null if there was none. */
export function buildHashnodeRoot(hashnode: HashnodeContext, token: string | null) {
  const { hashnodeAccounts, posts } = hashnode;
  const signedIn = (): HashnodeAccount => {
    const account = findOwner(hashnodeAccounts, token);
    if (!account) throw buildApiError('UNAUTHENTICATED', 'You must be authenticated to perform this action.');
    return account;
  };
  return {
    me: () => viewUser(hashnode, signedIn()),
    post: ({ id }: { id: string }) => viewPost(hashnode, posts.get(id)),
    publication: (by: { id?: string; host?: string }) => findPublication(hashnode, by),
    user: ({ username }: { username: string }) => {
      const user = Object.values(hashnodeAccounts).find((account) => account.username === username);
      return user ? viewUser(hashnode, user) : null;
    },
    publishPost: ({ input }: { input: PostInput & { publicationId: string } }) => ({
      post: viewPost(hashnode, publishPost(hashnode, signedIn(), input)),
    }),
    updatePost: ({ input }: { input: PostInput & { id: string } }) => ({
      post: viewPost(hashnode, updatePost(hashnode, signedIn(), input)),
    }),
  };
}

function findPublication(hashnode: HashnodeContext, { id, host = '' }: { id?: string; host?: string }) {
  if (!id && !host) throw buildBadInput('Give the id or the host of a publication.');
  if (id) checkObjectId(id, 'id');
  const account = id ? findPublisher(hashnode, id) : findByHost(hashnode, host.toLowerCase());
  if (!account) return null;
  checkPlan(account);
  return viewPublication(hashnode, account, id ?? account.publicationId);
}

/** The host of a user's first publication, or the address of its blog in the sandbox. */
function findByHost({ hashnodeAccounts, siteUrl }: HashnodeContext, host: string): HashnodeAccount | undefined {
  const blogs = `${new URL(siteUrl()).host}/hashnode-blog`;
  return Object.values(hashnodeAccounts).find(({ username }) =>
    [`${username}.hashnode.dev`, `${blogs}/${username}`].includes(host),
  );
}

function viewPublication(hashnode: HashnodeContext, account: HashnodeAccount, id: string) {
  return {
    id,
    title: `${account.name}'s publication`,
    url: `${hashnode.siteUrl()}/`,
    post: ({ slug }: { slug: string }) => {
      const post = hashnode.posts.list().find((candidate) => candidate.account === id && candidate.slug === slug);
      return viewPost(hashnode, post);
    },
    posts: (page: Page) => buildConnection(hashnode, listPosts(hashnode, id), page),
  };
}

function viewPost(hashnode: HashnodeContext, post: HashnodePost | undefined) {
  if (!post) return null;
  const account = findPublisher(hashnode, post.account);
  return {
    ...post,
    url: `${hashnode.siteUrl()}${encodeURI(buildPath(post))}`,
    publishedAt: post.createdAt,
    content: { markdown: post.contentMarkdown },
    coverImage: post.coverImage === null ? null : { url: post.coverImage },
    author: () => account && viewUser(hashnode, account),
    // As in every query, a publication without the Pro plan is hidden.
    publication: () => (account?.isPro ? viewPublication(hashnode, account, post.account) : null),
    preferences: { isDelisted: post.status === 'delisted' },
  };
}

export function buildPath({ account, slug }: HashnodePost): string {
  return `/hashnode/${account}/${slug}`;
}

function viewUser(hashnode: HashnodeContext, account: HashnodeAccount) {
  const { username, formerName = username } = account;
  return {
    id: createHash('sha256').update(formerName).digest('hex').slice(0, 24),
    username,
    posts: (page: Page) => buildConnection(hashnode, listPosts(hashnode, ...listPublications(account)), page),
  };
}

interface Page {
  first: number;
  after?: string | null;
}

/** A page has at most a hundred entries. A cursor is the id of the last node returned. */
function buildConnection(hashnode: HashnodeContext, list: HashnodePost[], { first, after }: Page) {
  const start = after ? list.findIndex(({ id }) => id === after) + 1 : 0;
  const page = list.slice(start, start + Math.min(Math.max(first, 0), 100));
  return {
    edges: page.map((post) => ({ node: viewPost(hashnode, post) })),
    pageInfo: { endCursor: page.at(-1)?.id ?? null, hasNextPage: start + page.length < list.length },
  };
}
