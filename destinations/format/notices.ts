/** Builds notices about unsupported content that several formats share. */
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import type { RefusalNotice } from '../types.ts';

/** `why` ends the sentence: "it is longer than 30 characters". */
export function dropTag(label: string, name: string, why: string): Notice {
  return { code: 'tag_dropped', message: `The tag “${name}” is not sent to ${label}: ${why}.`, path: 'tags' };
}

/** For a cover address that is not a web address. */
export function dropCover(label: string): Notice {
  const message = `${label} accepts a cover only by its full web address, so this one is left out.`;
  return { code: 'cover_dropped', message, path: 'cover_image' };
}

export function dropToc(label: string): Notice {
  return { code: 'toc_dropped', message: `${label} has no table of contents.`, path: 'generate_toc' };
}

/** What most platforms lack. `cover` is the cover as sent. */
export function listUnsupported(label: string, article: DeliverableArticle, cover: string | null): Notice[] {
  const message = `${label} does not let programs close the comments of a single post; its own settings apply.`;
  return [
    ...(article.coverImage !== null && cover === null ? [dropCover(label)] : []),
    ...(article.generateToc ? [dropToc(label)] : []),
    ...(article.commentsEnabled ? [] : [{ code: 'comments_open', message, path: 'comments_enabled' } as const]),
  ];
}

/** `limit` ends the sentence: "at most 800 KiB of text". */
export function refuseTooLarge(label: string, limit: string): RefusalNotice {
  return { code: 'body_too_large', message: `${label} accepts ${limit}. Shorten the article.`, path: 'content' };
}

export function refuseUntitled(label: string): RefusalNotice {
  return { code: 'title_missing', message: `${label} rejects articles without a title. Add a title.`, path: 'title' };
}

export function refuseEmpty(label: string): RefusalNotice {
  return { code: 'body_empty', message: `${label} rejects articles without text. Add text.`, path: 'content' };
}

/** For a canonical URL that is not a web address. */
export function refuseCanonical(label: string): RefusalNotice {
  const message = `${label} needs a canonical URL that is a web address without spaces.`;
  return { code: 'canonical_invalid', message, path: 'canonical_url' };
}
