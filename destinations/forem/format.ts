/** Formats an article for Forem: the payload, the losses and any refusal. Pure. */
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { cutTitle } from '../format/cut-title.ts';
import { dropCover, dropToc, refuseCanonical, refuseUntitled } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { isWebAddress, readCover } from '../format/web-address.ts';
import type { Formatted } from '../types.ts';
import { writeBody } from './body.ts';
import { LABEL, limits } from './limits.ts';
import { mapTags } from './tags.ts';

/**
 * The value of `article` in a create or update. Always with its tags, because an update without
 * tags erases them.
 */
export interface ForemPayload {
  title: string;
  body_markdown: string;
  published: true;
  tags: string[];
  canonical_url: string;
  description: string;
  main_image: string | null;
}

export function formatArticle(article: DeliverableArticle): Formatted<ForemPayload> {
  const title = cutTitle(toPlainLine(article.title), limits.titleLength, LABEL);
  const tags = mapTags(article.tags);
  const { body, losses } = writeBody(article);
  const cover = readCover(article);
  const payload: ForemPayload = {
    title: title.text,
    body_markdown: body,
    published: true,
    tags: tags.tags,
    canonical_url: article.canonicalUrl,
    description: toPlainLine(article.subtitle ?? article.excerpt),
    main_image: cover,
  };
  return {
    payload,
    losses: [...title.losses, ...tags.losses, ...losses, ...listLosses(article, cover)],
    refusal: findRefusal(payload),
  };
}

function listLosses(article: DeliverableArticle, cover: string | null): Notice[] {
  const losses: Notice[] = [];
  if (article.coverImage !== cover) losses.push(dropCover(LABEL));
  if (article.generateToc) losses.push(dropToc(LABEL));
  if (!article.commentsEnabled) {
    const message = `${LABEL} does not let programs close comments, so they stay open.`;
    losses.push({ code: 'comments_open', message, path: 'comments_enabled' });
  }
  return losses;
}

function findRefusal(payload: ForemPayload): Notice | null {
  if (payload.title === '') return refuseUntitled(LABEL);
  if (Buffer.byteLength(payload.body_markdown) > limits.bodyBytes) {
    const message = `${LABEL} accepts at most 800 KiB of text. Shorten the article.`;
    return { code: 'body_too_large', message, path: 'content' };
  }
  return isWebAddress(payload.canonical_url) ? null : refuseCanonical(LABEL);
}
