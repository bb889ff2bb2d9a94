/** Formats an article for Forem: the payload, the losses and any refusal. Pure. */
import type { DeliverableArticle } from '../../article/types.ts';
import { cutTitle } from '../format/cut-title.ts';
import { listUnsupported, refuseCanonical, refuseTooLarge, refuseUntitled } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { mapTags, spellSigns } from '../format/tags.ts';
import { isWebAddress, readCover } from '../format/web-address.ts';
import type { Formatted, RefusalNotice } from '../types.ts';
import { writeBody } from './body.ts';
import { LABEL, limits, TAG_LENGTH } from './limits.ts';

/** The value of `article` in a request. An update without tags erases them. */
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
  const tags = mapTags(article.tags, { label: LABEL, max: limits.tags, maxLength: TAG_LENGTH, spell: spellTag });
  const { body, losses } = writeBody(article);
  const cover = readCover(article);
  const payload: ForemPayload = {
    title: title.text,
    body_markdown: body,
    published: true,
    tags: tags.tags.map(({ tag }) => tag),
    canonical_url: article.canonicalUrl,
    description: toPlainLine(article.subtitle ?? article.excerpt),
    main_image: cover,
  };
  return {
    payload,
    losses: [...title.losses, ...tags.losses, ...losses, ...listUnsupported(LABEL, article, cover)],
    refusal: findRefusal(payload),
  };
}

function spellTag(name: string): string {
  return spellSigns(name)
    .normalize('NFKD')
    .replace(/[^a-z0-9]/g, '');
}

function findRefusal(payload: ForemPayload): RefusalNotice | null {
  if (payload.title === '') return refuseUntitled(LABEL);
  if (Buffer.byteLength(payload.body_markdown) > limits.bodyBytes) {
    return refuseTooLarge(LABEL, 'at most 800 KiB of text');
  }
  return isWebAddress(payload.canonical_url) ? null : refuseCanonical(LABEL);
}
