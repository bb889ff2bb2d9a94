/** What a WordPress site is sent for an article, what of it is lost there, and whether it would be refused. Pure. */
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { isWebAddress } from '../canonical.ts';
import { cutTitle } from '../format/cut-title.ts';
import { renderBody } from '../format/render-body.ts';
import { plainLine } from '../http/reason.ts';
import type { Formatted } from '../types.ts';
import { bendTree } from './bend-tree.ts';
import { writeBlocks } from './blocks.ts';
import { escapeText, escapeTitle } from './escape-text.ts';
import { WORDPRESS_LABEL, wordpressLimits } from './limits.ts';
import { coverLost, embedsLost, settingsLost, tagsFor } from './losses.ts';
import { writeMarker } from './marker.ts';

export interface WordPressPayload {
  /** The fields of a post that need nothing of the site. */
  post: { title: string; content: string; excerpt: string; comment_status: 'open' | 'closed' };
  /** Ours, always the same for an article: how a post is found again. Sent on creation only. */
  slug: string;
  tagNames: string[];
  /** `alt` is HTML too: of anything else the site takes the angle brackets out. */
  cover: { url: string; alt: string } | null;
  /**
   * Added by `prepare`: ids on this site. Tags that it would not have are left out; `featuredMedia` is 0 for no cover, null
   * for one that could not be had, which leaves a present one in its place.
   */
  ids?: { tags: number[]; featuredMedia: number | null };
}

export function formatForWordPress(article: DeliverableArticle): Formatted<WordPressPayload> {
  const title = cutTitle(plainLine(article.title), wordpressLimits.titleLength, WORDPRESS_LABEL);
  const tags = tagsFor(article.tags);
  const payload: WordPressPayload = {
    post: {
      // Titles and excerpts are HTML to WordPress.
      title: escapeTitle(title.text),
      content: '',
      excerpt: escapeText(plainLine(article.excerpt)),
      comment_status: article.commentsEnabled ? 'open' : 'closed',
    },
    slug: article.slug,
    tagNames: tags.tags,
    cover: null,
  };
  const refusal = findRefusal(article, title.text);
  if (refusal) return { payload, losses: [], refusal };
  const tree = renderBody(article);
  const bodyLosses = bendTree(tree);
  payload.post.content = [writeBlocks(tree.children), writeMarker(article.canonicalUrl)].join('\n\n').trimStart();
  const lost = coverLost(article.coverImage);
  if (article.coverImage !== null && !lost) payload.cover = { url: article.coverImage, alt: payload.post.title };
  return {
    payload,
    losses: [
      ...title.losses,
      ...tags.losses,
      ...embedsLost(article.body),
      ...bodyLosses,
      ...(lost ? [lost] : []),
      ...settingsLost(article),
    ],
    refusal: tooLarge(payload.post.content),
  };
}

function findRefusal(article: DeliverableArticle, title: string): Notice | null {
  if (title === '') {
    return { code: 'title_missing', message: `${WORDPRESS_LABEL} gets no article without a title.`, path: 'title' };
  }
  if (!isWebAddress(article.canonicalUrl)) {
    const message = `${WORDPRESS_LABEL} is sent a link to the original, which needs a canonical URL that is a web address.`;
    return { code: 'canonical_invalid', message, path: 'canonical_url' };
  }
  return tooLarge(article.body);
}

function tooLarge(text: string): Notice | null {
  if (Buffer.byteLength(text) <= wordpressLimits.bodyBytes) return null;
  const message = `${WORDPRESS_LABEL} is sent at most 4 MiB of HTML: shorten the article.`;
  return { code: 'body_too_large', message, path: 'content' };
}
