/** Builds Forem's JSON of articles. Lists swap `tags` and `tag_list` of single articles. */
import { createHash } from 'node:crypto';
import type { ForemAccount } from '../accounts.ts';
import { escapeHtml } from '../escape.ts';
import type { Json } from '../exchange.ts';
import { type ForemArticle, type ForemContext, nameOwner } from './context.ts';
import { renderLiquid } from './liquid.ts';

/** For create, update and show. */
export function showArticle(forem: ForemContext, article: ForemArticle): Json {
  return {
    ...indexArticle(forem, article),
    created_at: toWholeSeconds(article.createdAt),
    tag_list: article.tags.join(', '),
    tags: article.tags,
    body_html: `<pre>${escapeHtml(renderBody(article))}</pre>\n`,
    body_markdown: article.bodyMarkdown,
  };
}

/** For the lists of the owner's articles. */
export function listArticle(forem: ForemContext, article: ForemArticle): Json {
  const { edited_at: _, ...shown } = indexArticle(forem, article);
  return { ...shown, published: article.status === 'published', body_markdown: article.bodyMarkdown };
}

/** For the public list: no body. */
export function indexArticle({ siteUrl, foremAccounts }: ForemContext, article: ForemArticle): Json {
  const path = `/${article.account}/${article.slug}`;
  const url = `${siteUrl()}/forem${path}`;
  const owner = Object.values(foremAccounts).find((account) => nameOwner(account) === article.account);
  return {
    type_of: 'article',
    id: Number(article.id),
    title: article.title,
    description: article.description ?? '',
    ...{ slug: article.slug, path, url },
    tag_list: article.tags,
    tags: article.tags.join(', '),
    published_at: toWholeSeconds(article.publishedAt),
    edited_at: toWholeSeconds(article.editedAt),
    cover_image: article.mainImage,
    // Defaults to the article's own address. Only a comparison distinguishes the two.
    canonical_url: article.canonicalUrl ?? url,
    user: { name: owner?.name, username: owner?.username, user_id: buildUserId(article.account) },
  };
}

export function showUser(account: ForemAccount): Json {
  const { username, name } = account;
  return { type_of: 'user', id: buildUserId(nameOwner(account)), username, name };
}

/** The text as readers see it. */
export function renderBody({ bodyMarkdown }: ForemArticle): string {
  const rendered = renderLiquid(bodyMarkdown);
  return 'text' in rendered ? rendered.text : bodyMarkdown;
}

/** `2026-11-21T12:00:00Z`: times are in whole seconds. */
function toWholeSeconds(iso: string | null): string | null {
  return iso === null ? null : iso.replace(/\.\d+Z$/, 'Z');
}

/** A stable number for a name. */
function buildUserId(name: string): number {
  return createHash('sha256').update(name).digest().readUInt16BE(0);
}
