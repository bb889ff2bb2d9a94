/** Formats an article for Ghost: the payload, the losses and any refusal. Pure. */
import { cutAtWord } from '../../article/describe/cut-text.ts';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { cutTitle } from '../format/cut-title.ts';
import { dropCover, dropToc, refuseUntitled } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { isWebAddress } from '../format/web-address.ts';
import type { Formatted } from '../types.ts';
import { writeBody } from './body.ts';
import { ADDRESS_LENGTH, EXCERPT_LENGTH, LABEL, limits, META_LENGTH, SLUG_LENGTH } from './limits.ts';
import { spellAddress } from './spell-address.ts';
import { mapTags } from './tags.ts';

/** The only entry of `posts` in a create or update. Nulls and empty lists clear removed values. */
export interface GhostPayload {
  title: string;
  html: string;
  status: 'published';
  /** Our own slug of the article, by which `find` recognises the post. Sent on creation only. */
  slug: string;
  tags: { name: string }[];
  canonical_url: string;
  feature_image: string | null;
  custom_excerpt: string | null;
  meta_description: string | null;
}

export function formatArticle(article: DeliverableArticle): Formatted<GhostPayload> {
  const title = cutTitle(toPlainLine(article.title), limits.titleLength, LABEL);
  const tags = mapTags(article.tags);
  const { body, losses } = writeBody(article);
  const summary = toPlainLine(article.subtitle ?? article.excerpt);
  const hasCover = article.coverImage !== null && isAcceptedAddress(article.coverImage);
  const payload: GhostPayload = {
    title: title.text,
    html: body,
    status: 'published',
    slug: article.slug.slice(0, SLUG_LENGTH),
    tags: tags.tags,
    canonical_url: isAcceptedAddress(article.canonicalUrl) ? spellAddress(article.canonicalUrl) : article.canonicalUrl,
    feature_image: hasCover && article.coverImage !== null ? spellAddress(article.coverImage) : null,
    custom_excerpt: cutAtWord(summary, EXCERPT_LENGTH) || null,
    meta_description: cutAtWord(toPlainLine(article.excerpt), META_LENGTH) || null,
  };
  return {
    payload,
    losses: [...title.losses, ...tags.losses, ...losses, ...listLosses(article, hasCover, summary)],
    refusal: findRefusal(payload),
  };
}

function listLosses(article: DeliverableArticle, hasCover: boolean, summary: string): Notice[] {
  const losses: Notice[] = [];
  if (summary.length > EXCERPT_LENGTH) {
    const message = `${LABEL} accepts at most ${EXCERPT_LENGTH} characters of an excerpt, so this one is cut.`;
    losses.push({ code: 'excerpt_cut', message, path: article.subtitle === null ? 'excerpt' : 'subtitle' });
  }
  if (article.coverImage !== null && !hasCover) losses.push(dropCover(LABEL));
  if (article.generateToc) losses.push(dropToc(LABEL));
  if (!article.commentsEnabled) {
    const message = `${LABEL} opens or closes comments for the whole site, not for a single post.`;
    losses.push({ code: 'comments_open', message, path: 'comments_enabled' });
  }
  return losses;
}

function findRefusal(payload: GhostPayload): Notice | null {
  if (payload.title === '') return refuseUntitled(LABEL);
  if (Buffer.byteLength(JSON.stringify(payload)) > limits.bodyBytes) {
    const message = `${LABEL} accepts at most 50 MiB in one request. Shorten the article.`;
    return { code: 'body_too_large', message, path: 'content' };
  }
  if (!isAcceptedAddress(payload.canonical_url)) {
    const message = `${LABEL} needs a canonical URL that is a web address without spaces and not too long.`;
    return { code: 'canonical_invalid', message, path: 'canonical_url' };
  }
  return null;
}

function isAcceptedAddress(address: string): boolean {
  return isWebAddress(address) && spellAddress(address).length <= ADDRESS_LENGTH;
}
