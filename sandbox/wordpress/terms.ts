/** Tags of a site: found by slug or by words. Names are unique. */
import type { WordPressContext } from '../context.ts';
import type { SandboxResponse } from '../faults.ts';
import { hasCapability, type LoggedInAccount } from './accounts.ts';
import { LIST_ARGUMENTS, refuseArguments, TAG_ARGUMENTS } from './arguments.ts';
import { assignNextId, listRecords } from './list-records.ts';
import type { WordPressTag } from './records.ts';
import { buildFailure, buildForbidden, type Json } from './responses.ts';
import { buildSlug, findFreeSlug } from './slugs.ts';

/** `GET /wp/v2/tags`. */
export function listTags(sandbox: WordPressContext, query: Record<string, string | undefined>): SandboxResponse {
  const refused = refuseArguments(query, LIST_ARGUMENTS);
  if (refused) return refused;
  const slugs = query.slug?.split(',').map((slug) => buildSlug(slug));
  const words = query.search?.toLowerCase();
  const tags = listRecords(sandbox, 'wordpressTag').filter(
    (tag) =>
      (slugs === undefined || slugs.includes(tag.slug)) &&
      (words === undefined || tag.name.toLowerCase().includes(words) || tag.slug.includes(words)),
  );
  return { status: 200, body: tags.slice(0, Number(query.per_page ?? 10)).map((tag) => showTag(sandbox, tag)) };
}

/** `POST /wp/v2/tags`: every account that may write posts may create tags. */
export function createTag(sandbox: WordPressContext, account: LoggedInAccount | null, body: Json): SandboxResponse {
  const refused = refuseArguments(body, TAG_ARGUMENTS, ['name']);
  if (refused) return refused;
  if (!hasCapability(account, 'edit_posts')) {
    const message = 'Sorry, you are not allowed to create terms in this taxonomy.';
    return buildForbidden(account !== null, 'rest_cannot_create', message);
  }
  // A term's name is stored as HTML.
  const name = String(body.name).trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  if (name === '') return buildFailure(400, 'empty_term_name', 'A name is required for this term.');
  const tags = listRecords(sandbox, 'wordpressTag');
  const requested = typeof body.slug === 'string' ? buildSlug(body.slug) : null;
  const same = tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase());
  if (same && (requested === null || requested === same.slug)) {
    const message = 'A term with the name provided already exists in this taxonomy.';
    return buildFailure(400, 'term_exists', message, { term_id: Number(same.id) });
  }
  const slug = findFreeSlug(requested ?? buildSlug(String(body.name)), new Set(tags.map((tag) => tag.slug)));
  const tag: WordPressTag = {
    kind: 'wordpressTag',
    site: sandbox.site.name,
    id: assignNextId(sandbox, 'wordpressTag'),
    name,
    slug,
  };
  sandbox.state.save('cms_site', tag);
  return { status: 201, body: showTag(sandbox, tag) };
}

function showTag(sandbox: WordPressContext, { id, name, slug }: WordPressTag): Json {
  const link = `${sandbox.site.url()}/tag/${slug}/`;
  return { id: Number(id), count: 0, description: '', link, name, slug, taxonomy: 'post_tag', meta: [] };
}
