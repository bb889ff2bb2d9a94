/**
 * Builds Forem's JSON for an article. `tags` and `tag_list` are swapped between single articles and
 * lists.
 */
import { createHash } from 'node:crypto';
import type { ForemAccount } from '../context.ts';
import { escapeHtml } from '../escape.ts';
import { renderLiquid } from './liquid.ts';
import type { ForemArticle } from './records.ts';

interface ForemView {
  siteUrl: string;
  account: ForemAccount | undefined;
}

/** For create, update and show. */
export function showArticle(article: ForemArticle, view: ForemView): Record<string, unknown> {
  const rendered = renderLiquid(article.bodyMarkdown);
  return {
    ...buildCommonFields(article, view),
    created_at: toWholeSeconds(article.createdAt),
    edited_at: toWholeSeconds(article.editedAt),
    crossposted_at: null,
    last_comment_at: toWholeSeconds(article.publishedAt),
    tag_list: article.tags.join(', '),
    tags: article.tags,
    body_html: `<pre>${escapeHtml('text' in rendered ? rendered.text : article.bodyMarkdown)}</pre>\n`,
    body_markdown: article.bodyMarkdown,
  };
}

/** For the lists of the owner's articles. */
export function listArticle(article: ForemArticle, view: ForemView): Record<string, unknown> {
  return {
    ...buildCommonFields(article, view),
    published: article.published,
    page_views_count: 0,
    tag_list: article.tags,
    tags: article.tags.join(', '),
    body_markdown: article.bodyMarkdown,
  };
}

/** For the public list: no body. */
export function indexArticle(article: ForemArticle, view: ForemView): Record<string, unknown> {
  return {
    ...buildCommonFields(article, view),
    created_at: toWholeSeconds(article.createdAt),
    edited_at: toWholeSeconds(article.editedAt),
    tag_list: article.tags,
    tags: article.tags.join(', '),
  };
}

export function showUser(account: ForemAccount): Record<string, unknown> {
  return {
    type_of: 'user',
    id: buildUserId(account.formerNames?.[0] ?? account.username),
    username: account.username,
    name: account.name,
    twitter_username: null,
    github_username: null,
    summary: null,
    location: null,
    website_url: null,
    joined_at: 'Jan 1, 2020',
    profile_image: '/uploads/user/profile_image/sandbox.png',
  };
}

function buildCommonFields(article: ForemArticle, { siteUrl, account }: ForemView): Record<string, unknown> {
  const url = `${siteUrl}/forem/${article.username}/${article.slug}`;
  return {
    type_of: 'article',
    id: Number(article.id),
    title: article.title,
    description: article.description ?? '',
    readable_publish_date: article.publishedAt === null ? null : formatReadableDate(article.publishedAt),
    slug: article.slug,
    path: `/${article.username}/${article.slug}`,
    url,
    comments_count: 0,
    public_reactions_count: 0,
    positive_reactions_count: 0,
    collection_id: article.series === null ? null : buildUserId(article.series),
    published_timestamp: toWholeSeconds(article.publishedAt) ?? '',
    published_at: toWholeSeconds(article.publishedAt),
    cover_image: article.mainImage,
    social_image: article.mainImage ?? '',
    // Defaults to the article's own address. Only a comparison distinguishes the two.
    canonical_url: article.canonicalUrl ?? url,
    reading_time_minutes: Math.max(1, Math.round(article.bodyMarkdown.split(/\s+/).length / 275)),
    user: {
      name: account?.name ?? article.username,
      username: article.username,
      twitter_username: null,
      github_username: null,
      user_id: buildUserId(article.username),
      website_url: null,
      profile_image: '/uploads/user/profile_image/sandbox.png',
      profile_image_90: '/uploads/user/profile_image/sandbox_90.png',
    },
  };
}

/** `2026-11-21T12:00:00Z`: times are in whole seconds. */
function toWholeSeconds(iso: string | null): string | null {
  return iso === null ? null : iso.replace(/\.\d+Z$/, 'Z');
}

function formatReadableDate(iso: string): string {
  return new Date(iso).toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
}

/** A stable number for a name. */
function buildUserId(name: string): number {
  return createHash('sha256').update(name).digest().readUInt16BE(0);
}
