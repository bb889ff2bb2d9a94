/** `GET /wp/v2/posts` and `GET /wp/v2/posts/<id>`. */
import type { WordPressContext } from '../context.ts';
import type { SandboxResponse } from '../faults.ts';
import { hasCapability, type LoggedInAccount } from './accounts.ts';
import { LIST_ARGUMENTS, refuseArguments } from './arguments.ts';
import { listRecords } from './list-records.ts';
import { showPost } from './post-views.ts';
import { buildInvalidId, canEdit, findPost } from './posts.ts';
import type { WordPressPost } from './records.ts';
import { buildFailure, buildForbidden } from './responses.ts';
import { buildSlug } from './slugs.ts';

type Query = Record<string, string | undefined>;

/** Newest first. `any` means everything but the trash. */
export function listPosts(sandbox: WordPressContext, account: LoggedInAccount | null, query: Query): SandboxResponse {
  const refused = refuseArguments(query, LIST_ARGUMENTS) ?? refuseContext(account, query);
  if (refused) return refused;
  const statuses = (query.status ?? 'publish').split(',');
  if (statuses.some((status) => status !== 'publish') && !hasCapability(account, 'edit_posts')) {
    return buildForbidden(account !== null, 'rest_forbidden_status', 'Status is forbidden.');
  }
  const slugs = query.slug?.split(',').map((slug) => buildSlug(slug));
  const found = listRecords(sandbox, 'wordpressPost')
    .filter((post) => statuses.includes(post.status) || (statuses.includes('any') && post.status !== 'trash'))
    .filter((post) => slugs === undefined || slugs.includes(post.slug))
    .filter((post) => query.author === undefined || isByAuthor(sandbox, post, query.author))
    .filter((post) => query.search === undefined || matchesSearch(post, query.search, query.search_columns))
    .sort((left, right) => Number(right.id) - Number(left.id));
  const size = Number(query.per_page ?? 10);
  const page = Number(query.page ?? 1);
  const pages = Math.ceil(found.length / size);
  if (page > pages && found.length > 0) {
    const message = 'The page number requested is larger than the number of pages available.';
    return buildFailure(400, 'rest_post_invalid_page_number', message);
  }
  const start = query.offset === undefined ? (page - 1) * size : Number(query.offset);
  const context = query.context === 'edit' ? 'edit' : 'view';
  return {
    status: 200,
    headers: { 'x-wp-total': String(found.length), 'x-wp-totalpages': String(pages) },
    // Posts that the account may not edit are missing on the page, but counted in the headers.
    body: found
      .slice(start, start + size)
      .filter((post) => context === 'view' || canEdit(account, post))
      .map((post) => showPost(sandbox, post, context)),
  };
}

function isByAuthor({ site }: WordPressContext, post: WordPressPost, authors: string): boolean {
  return authors.split(',').includes(String(site.accounts[post.author]?.id));
}

export function readPost(
  sandbox: WordPressContext,
  account: LoggedInAccount | null,
  id: string,
  query: Query,
): SandboxResponse {
  const post = findPost(sandbox, id);
  if (!post) return buildInvalidId();
  const context = query.context === 'edit' ? 'edit' : 'view';
  if (context === 'edit' && !canEdit(account, post)) {
    const message = 'Sorry, you are not allowed to edit this post.';
    return buildForbidden(account !== null, 'rest_forbidden_context', message);
  }
  if (post.status !== 'publish' && !canEdit(account, post)) {
    return buildForbidden(account !== null, 'rest_forbidden', 'Sorry, you are not allowed to do that.');
  }
  return { status: 200, body: showPost(sandbox, post, context) };
}

function refuseContext(account: LoggedInAccount | null, query: Query): SandboxResponse | null {
  if (query.context !== 'edit' || hasCapability(account, 'edit_posts')) return null;
  const message = 'Sorry, you are not allowed to edit posts in this post type.';
  return buildForbidden(account !== null, 'rest_forbidden_context', message);
}

/** Every word must occur in one of the columns. A word with a dash before it must not occur. */
function matchesSearch(post: WordPressPost, search: string, columns: string | undefined): boolean {
  const texts: Record<string, string> = {
    post_title: post.title,
    post_content: post.content,
    post_excerpt: post.excerpt,
  };
  const searched = (columns?.split(',') ?? Object.keys(texts)).map((column) => (texts[column] ?? '').toLowerCase());
  const words = search
    .toLowerCase()
    .split(/[\s,+]+/)
    .filter((word) => word !== '');
  return words.every((word) =>
    word.startsWith('-')
      ? !searched.some((text) => text.includes(word.slice(1)))
      : searched.some((text) => text.includes(word)),
  );
}
