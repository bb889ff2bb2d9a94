/** Formats an article for a WordPress site: the payload, the losses and any refusal. Pure. */
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { cutTitle } from '../format/cut-title.ts';
import { dropCover, dropToc, refuseTooLarge, refuseUntitled } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { mapTags } from '../format/tags.ts';
import { isWebAddress } from '../format/web-address.ts';
import type { Formatted, RefusalNotice } from '../types.ts';
import { writeBody } from './body.ts';
import { escapeText, escapeTitle } from './html/escape-text.ts';
import { LABEL, limits, TAG_LENGTH } from './limits.ts';

export interface WordPressPayload {
  /** The fields of a post that need no ids of the site. */
  post: { title: string; content: string; excerpt: string; comment_status: 'open' | 'closed' };
  /** Our own slug of the article, by which `find` recognises the post. Sent on creation only. */
  slug: string;
  tagNames: string[];
  /** `alt` is HTML too: the site would remove angle brackets from plain text. */
  cover: { url: string; alt: string } | null;
  /**
   * Ids on this site, set by `prepare`, without refused tags. `featuredMedia` is 0 for no cover.
   * Null, for a failed upload, preserves a present cover. `notices` name the omissions with
   * reasons.
   */
  ids?: { tags: number[]; featuredMedia: number | null; notices: Notice[] };
}

export function formatArticle(article: DeliverableArticle): Formatted<WordPressPayload> {
  const title = cutTitle(toPlainLine(article.title), limits.titleLength, LABEL);
  const tags = mapTags(article.tags, {
    label: LABEL,
    max: limits.tags,
    maxLength: TAG_LENGTH,
    spell: (name) => name,
  });
  const payload: WordPressPayload = {
    post: {
      // WordPress reads titles and excerpts as HTML.
      title: escapeTitle(title.text),
      content: '',
      excerpt: escapeText(toPlainLine(article.excerpt)),
      comment_status: article.commentsEnabled ? 'open' : 'closed',
    },
    slug: article.slug,
    tagNames: tags.tags.map(({ tag }) => tag),
    cover: null,
  };
  const refusal = findRefusal(article, title.text);
  if (refusal) return { payload, losses: [], refusal };
  const { body, losses } = writeBody(article);
  payload.post.content = body;
  const coverLoss = findCoverLoss(article.coverImage);
  if (article.coverImage !== null && !coverLoss) payload.cover = { url: article.coverImage, alt: payload.post.title };
  return {
    payload,
    losses: [...title.losses, ...tags.losses, ...losses, ...(coverLoss ? [coverLoss] : []), ...listLosses(article)],
    refusal: findTooLarge(payload.post.content),
  };
}

function findRefusal(article: DeliverableArticle, title: string): RefusalNotice | null {
  if (title === '') return refuseUntitled(LABEL);
  if (!isWebAddress(article.canonicalUrl)) {
    const message = `${LABEL} gets a link to the original, which needs a canonical URL that is a web address.`;
    return { code: 'canonical_invalid', message, path: 'canonical_url' };
  }
  return findTooLarge(article.body);
}

function findTooLarge(text: string): RefusalNotice | null {
  if (Buffer.byteLength(text) <= limits.bodyBytes) return null;
  return refuseTooLarge(LABEL, 'at most 4 MiB of HTML from Courant');
}

/** Null if the cover can be sent, as far as its address shows. */
function findCoverLoss(cover: string | null): Notice | null {
  if (cover === null) return null;
  if (!isWebAddress(cover)) return dropCover(LABEL);
  if (!/\.svgz?$/i.test(new URL(cover).pathname)) return null;
  const message = `${LABEL} does not accept SVG as a cover. Use PNG, JPEG, GIF or WebP.`;
  return { code: 'cover_dropped', message, path: 'cover_image' };
}

function listLosses(article: DeliverableArticle): Notice[] {
  const losses: Notice[] = [];
  if (toPlainLine(article.subtitle ?? '') !== '') {
    losses.push({ code: 'subtitle_dropped', message: `${LABEL} has no subtitles.`, path: 'subtitle' });
  }
  if (article.generateToc) losses.push(dropToc(LABEL));
  return losses;
}
