/** Resolvers of the simulated Hashnode, as the root value that graphql-js walks. */
import { createHash } from 'node:crypto';
import type { HashnodeAccount, SandboxContext } from '../context.ts';
import { escapeHtml } from '../escape.ts';
import { findAccount, findCaller, listPublications } from './accounts.ts';
import { buildApiError, buildBadInput, buildNotOnPro, buildUnauthenticated } from './errors.ts';
import { listPosts, type PostInput, publishPost, updatePost } from './posts.ts';
import type { HashnodePost } from './records.ts';

/** `token` is from the Authorization header, without its prefix. Null if there was none. */
export function buildHashnodeRoot(sandbox: SandboxContext, token: string | null): Record<string, unknown> {
  const account = findCaller(sandbox, token);
  const signedIn = (): HashnodeAccount => {
    if (!account) throw buildUnauthenticated();
    return account;
  };
  const view = (post: HashnodePost) => viewPost(sandbox, post);
  return {
    me: () => viewMe(sandbox, signedIn()),
    post: ({ id }: { id: string }) => {
      const post = sandbox.state.posts('blogsite_b').get(id);
      return post ? view(post) : null;
    },
    publication: (by: { id?: string | null; host?: string | null }) => findPublication(sandbox, by),
    user: ({ username }: { username: string }) => {
      const user = Object.values(sandbox.hashnodeAccounts).find((candidate) => candidate.username === username);
      return user ? viewUser(sandbox, user) : null;
    },
    publishPost: ({ input }: { input: PostInput & { publicationId: string } }) => ({
      post: view(publishPost(sandbox, signedIn(), checkObjectId(input, 'publicationId'))),
    }),
    updatePost: ({ input }: { input: PostInput & { id: string } }) => ({
      post: view(updatePost(sandbox, signedIn(), input)),
    }),
  };
}

/** The host of a user's first publication, and the address of its blog in the sandbox. */
function listHosts(sandbox: SandboxContext, { username }: HashnodeAccount): string[] {
  return [`${username}.hashnode.dev`, `${new URL(sandbox.siteUrl()).host}/hashnode-blog/${username}`];
}

function findPublication(sandbox: SandboxContext, { id, host }: { id?: string | null; host?: string | null }) {
  if (!id && !host) throw buildBadInput('Give the id or the host of a publication.');
  const account = id
    ? findAccount(sandbox, checkObjectId({ id }, 'id').id)
    : Object.values(sandbox.hashnodeAccounts).find((candidate) =>
        listHosts(sandbox, candidate).includes(host?.toLowerCase() ?? ''),
      );
  if (!account) return null;
  if (!account.isPro) throw buildNotOnPro();
  return viewPublication(sandbox, account, id ?? account.publicationId);
}

function viewPublication(sandbox: SandboxContext, account: HashnodeAccount, publicationId: string) {
  return {
    id: publicationId,
    title: `${account.name}'s publication`,
    displayTitle: null,
    url: `${sandbox.siteUrl()}/`,
    isTeam: false,
    author: () => viewUser(sandbox, account),
    post: ({ slug }: { slug: string }) => {
      const posts = [...sandbox.state.posts('blogsite_b').values()];
      const post = posts.find((candidate) => candidate.publicationId === publicationId && candidate.slug === slug);
      return post ? viewPost(sandbox, post) : null;
    },
    posts: (page: Page) => buildConnection(listPosts(sandbox, publicationId), page, (post) => viewPost(sandbox, post)),
  };
}

function viewPost(sandbox: SandboxContext, post: HashnodePost) {
  const account = findAccount(sandbox, post.publicationId);
  return {
    ...post,
    url: `${sandbox.siteUrl()}/hashnode/${post.publicationId}/${encodeURIComponent(post.slug)}`,
    content: {
      markdown: post.contentMarkdown,
      html: `<pre>${escapeHtml(post.contentMarkdown)}</pre>`,
      text: post.contentMarkdown,
    },
    brief: post.contentMarkdown.slice(0, 250),
    coverImage: post.coverImage === null ? null : { url: post.coverImage },
    author: () => (account ? viewUser(sandbox, account) : null),
    // As in every query, a publication without the Pro plan is hidden.
    publication: () => (account?.isPro ? viewPublication(sandbox, account, post.publicationId) : null),
    tags: post.tags.map((tag) => ({ ...tag, id: buildShortId(tag.slug) })),
    series: null,
    seo: { title: post.metaTitle, description: post.metaDescription },
    preferences: { disableComments: post.disableComments, isDelisted: post.isDelisted },
  };
}

function viewUser(sandbox: SandboxContext, account: HashnodeAccount) {
  return {
    id: buildShortId(account.formerNames?.[0] ?? account.username),
    username: account.username,
    name: account.name,
    posts: (page: Page) =>
      buildConnection(listPosts(sandbox, ...listPublications(account)), page, (post) => viewPost(sandbox, post)),
  };
}

function viewMe(sandbox: SandboxContext, account: HashnodeAccount) {
  const publications = (page: Page) =>
    buildConnection(
      listPublications(account).map((id) => ({ id })),
      page,
      ({ id }) => viewPublication(sandbox, account, id),
    );
  return { ...viewUser(sandbox, account), publications };
}

interface Page {
  first: number;
  after?: string | null;
}

/** A page has at most a hundred entries. A cursor is the id of the last node returned. */
function buildConnection<T extends { id: string }, V>(list: T[], { first, after }: Page, view: (item: T) => V) {
  const start = after ? list.findIndex(({ id }) => id === after) + 1 : 0;
  const page = list.slice(start, start + Math.min(Math.max(first, 0), 100));
  return {
    edges: page.map((item) => ({ node: view(item), cursor: item.id })),
    pageInfo: { endCursor: page.at(-1)?.id ?? null, hasNextPage: start + page.length < list.length },
    totalDocuments: list.length,
  };
}

function checkObjectId<T extends object, K extends keyof T & string>(input: T, name: K): T {
  if (/^[0-9a-f]{24}$/i.test(String(input[name]))) return input;
  throw buildApiError('BAD_USER_INPUT', `${name}: not an ObjectId.`);
}

function buildShortId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
