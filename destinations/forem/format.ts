/** What Forem is sent for an article, what of it is lost there, and whether it would be refused. Pure. */
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { isWebAddress } from '../canonical.ts';
import { cutTitle } from '../format/cut-title.ts';
import { plainLine } from '../http/reason.ts';
import type { Formatted } from '../types.ts';
import { rewriteForForem } from './body.ts';
import { FOREM_LABEL, foremLimits } from './limits.ts';
import { foremTags } from './tags.ts';

/** The value of `article` in a create or update. Tags are always there: what is left out of an update is erased. */
export interface ForemPayload {
  title: string;
  body_markdown: string;
  published: true;
  tags: string[];
  canonical_url: string;
  description: string;
  main_image: string | null;
}

export function formatForForem(article: DeliverableArticle): Formatted<ForemPayload> {
  const title = cutTitle(plainLine(article.title), foremLimits.titleLength, FOREM_LABEL);
  const tags = foremTags(article.tags);
  const { body, losses } = rewriteForForem(article.body, article.title);
  const hasCover = article.coverImage !== null && isWebAddress(article.coverImage);
  const payload: ForemPayload = {
    title: title.text,
    body_markdown: body,
    published: true,
    tags: tags.tags,
    canonical_url: article.canonicalUrl,
    description: plainLine(article.subtitle ?? article.excerpt),
    main_image: hasCover ? article.coverImage : null,
  };
  return {
    payload,
    losses: [...title.losses, ...tags.losses, ...losses, ...settingsLost(article, hasCover)],
    refusal: findRefusal(payload),
  };
}

function settingsLost(article: DeliverableArticle, hasCover: boolean): Notice[] {
  const lost: Notice[] = [];
  if (article.coverImage !== null && !hasCover) {
    lost.push({
      code: 'cover_dropped',
      message: `${FOREM_LABEL} takes a cover only by its full web address.`,
      path: 'cover_image',
    });
  }
  if (article.generateToc) {
    lost.push({ code: 'toc_dropped', message: `${FOREM_LABEL} has no table of contents.`, path: 'generate_toc' });
  }
  if (!article.commentsEnabled) {
    lost.push({
      code: 'comments_open',
      message: `${FOREM_LABEL} cannot be told to close comments.`,
      path: 'comments_enabled',
    });
  }
  return lost;
}

function findRefusal(payload: ForemPayload): Notice | null {
  if (payload.title === '')
    return { code: 'title_missing', message: `${FOREM_LABEL} takes no article without a title.`, path: 'title' };
  if (Buffer.byteLength(payload.body_markdown) > foremLimits.bodyBytes) {
    return {
      code: 'body_too_large',
      message: `${FOREM_LABEL} takes at most 800 KiB of text: shorten the article.`,
      path: 'content',
    };
  }
  if (!isWebAddress(payload.canonical_url)) {
    return {
      code: 'canonical_invalid',
      message: `${FOREM_LABEL} needs a canonical URL that is a web address without spaces.`,
      path: 'canonical_url',
    };
  }
  return null;
}
