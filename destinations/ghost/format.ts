/** What Ghost is sent for an article, what of it is lost there, and whether it would be refused. Pure. */
import { cutAtWord } from '../../article/describe/cut-text.ts';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { isWebAddress } from '../canonical.ts';
import { cutTitle } from '../format/cut-title.ts';
import { plainLine } from '../http/reason.ts';
import type { Formatted } from '../types.ts';
import { spellAddress } from './address.ts';
import { writeGhostHtml } from './body.ts';
import {
  GHOST_ADDRESS_LENGTH,
  GHOST_EXCERPT_LENGTH,
  GHOST_LABEL,
  GHOST_META_LENGTH,
  GHOST_SLUG_LENGTH,
  ghostLimits,
} from './limits.ts';
import { ghostTags } from './tags.ts';

/** The one entry of `posts` in a create or update. Nulls and empty lists clear what the author took away. */
export interface GhostPayload {
  title: string;
  html: string;
  status: 'published';
  /** Ours, always the same for an article: how a post is found again. Sent on creation only. */
  slug: string;
  tags: { name: string }[];
  canonical_url: string;
  feature_image: string | null;
  custom_excerpt: string | null;
  meta_description: string | null;
}

export function formatForGhost(article: DeliverableArticle): Formatted<GhostPayload> {
  const title = cutTitle(plainLine(article.title), ghostLimits.titleLength, GHOST_LABEL);
  const tags = ghostTags(article.tags);
  const { html, losses } = writeGhostHtml(article);
  const summary = plainLine(article.subtitle ?? article.excerpt);
  const hasCover = article.coverImage !== null && isTakenAddress(article.coverImage);
  const payload: GhostPayload = {
    title: title.text,
    html,
    status: 'published',
    slug: article.slug.slice(0, GHOST_SLUG_LENGTH),
    tags: tags.tags,
    canonical_url: isTakenAddress(article.canonicalUrl) ? spellAddress(article.canonicalUrl) : article.canonicalUrl,
    feature_image: hasCover && article.coverImage !== null ? spellAddress(article.coverImage) : null,
    custom_excerpt: cutAtWord(summary, GHOST_EXCERPT_LENGTH) || null,
    meta_description: cutAtWord(plainLine(article.excerpt), GHOST_META_LENGTH) || null,
  };
  return {
    payload,
    losses: [...title.losses, ...tags.losses, ...losses, ...settingsLost(article, hasCover, summary)],
    refusal: findRefusal(payload),
  };
}

function settingsLost(article: DeliverableArticle, hasCover: boolean, summary: string): Notice[] {
  const lost: Notice[] = [];
  if (summary.length > GHOST_EXCERPT_LENGTH) {
    const message = `${GHOST_LABEL} takes an excerpt of at most ${GHOST_EXCERPT_LENGTH} characters, so this one is cut there.`;
    lost.push({ code: 'excerpt_cut', message, path: article.subtitle === null ? 'excerpt' : 'subtitle' });
  }
  if (article.coverImage !== null && !hasCover) {
    const message = `${GHOST_LABEL} takes a cover only by its full web address.`;
    lost.push({ code: 'cover_dropped', message, path: 'cover_image' });
  }
  if (article.generateToc) {
    lost.push({ code: 'toc_dropped', message: `${GHOST_LABEL} has no table of contents.`, path: 'generate_toc' });
  }
  if (!article.commentsEnabled) {
    const message = `${GHOST_LABEL} opens or closes comments for the whole site, not for one post.`;
    lost.push({ code: 'comments_open', message, path: 'comments_enabled' });
  }
  return lost;
}

function findRefusal(payload: GhostPayload): Notice | null {
  if (payload.title === '')
    return { code: 'title_missing', message: `${GHOST_LABEL} takes no article without a title.`, path: 'title' };
  if (Buffer.byteLength(JSON.stringify(payload)) > ghostLimits.bodyBytes) {
    const message = `${GHOST_LABEL} takes at most 50 MiB in one request: shorten the article.`;
    return { code: 'body_too_large', message, path: 'content' };
  }
  if (!isTakenAddress(payload.canonical_url)) {
    const message = `${GHOST_LABEL} needs a canonical URL that is a web address without spaces, not too long.`;
    return { code: 'canonical_invalid', message, path: 'canonical_url' };
  }
  return null;
}

function isTakenAddress(address: string): boolean {
  return isWebAddress(address) && spellAddress(address).length <= GHOST_ADDRESS_LENGTH;
}
