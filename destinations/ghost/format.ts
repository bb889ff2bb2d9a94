/** Formats an article for Ghost: the payload, the losses and any refusal. Pure. */
import { cutAtWord } from '../../article/describe/cut-text.ts';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { cutTitle } from '../format/cut-title.ts';
import { listUnsupported, refuseTooLarge, refuseUntitled } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { mapTags } from '../format/tags.ts';
import { isWebAddress } from '../format/web-address.ts';
import type { Formatted, RefusalNotice } from '../types.ts';
import { writeBody } from './body.ts';
import { ADDRESS_LENGTH, EXCERPT_LENGTH, LABEL, limits, META_LENGTH, SLUG_LENGTH, TAG_LENGTH } from './limits.ts';
import { spellAddress } from './spell-address.ts';

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
  const tags = mapTags(article.tags, { label: LABEL, max: limits.tags, maxLength: TAG_LENGTH, spell: spellTag });
  const { body, losses } = writeBody(article);
  const summary = toPlainLine(article.subtitle ?? article.excerpt);
  const cover = article.coverImage !== null && isAcceptedAddress(article.coverImage) ? article.coverImage : null;
  const payload: GhostPayload = {
    title: title.text,
    html: body,
    status: 'published',
    slug: article.slug.slice(0, SLUG_LENGTH),
    tags: tags.tags.map(({ tag: name }) => ({ name })),
    canonical_url: isAcceptedAddress(article.canonicalUrl) ? spellAddress(article.canonicalUrl) : article.canonicalUrl,
    feature_image: cover && spellAddress(cover),
    custom_excerpt: cutAtWord(summary, EXCERPT_LENGTH) || null,
    meta_description: cutAtWord(toPlainLine(article.excerpt), META_LENGTH) || null,
  };
  return {
    payload,
    losses: [
      ...[...title.losses, ...tags.losses, ...losses],
      ...[...findExcerptLoss(article, summary), ...listUnsupported(LABEL, article, cover)],
    ],
    refusal: findRefusal(payload),
  };
}

function findExcerptLoss({ subtitle }: DeliverableArticle, summary: string): Notice[] {
  if (summary.length <= EXCERPT_LENGTH) return [];
  const message = `${LABEL} accepts at most ${EXCERPT_LENGTH} characters of an excerpt, so this one is cut.`;
  return [{ code: 'excerpt_cut', message, path: subtitle === null ? 'excerpt' : 'subtitle' }];
}

function findRefusal(payload: GhostPayload): RefusalNotice | null {
  if (payload.title === '') return refuseUntitled(LABEL);
  if (Buffer.byteLength(JSON.stringify(payload)) > limits.bodyBytes) {
    return refuseTooLarge(LABEL, 'at most 50 MiB in one request');
  }
  if (!isAcceptedAddress(payload.canonical_url)) {
    const message = `${LABEL} needs a canonical URL that is a web address without spaces and not too long.`;
    return { code: 'canonical_invalid', message, path: 'canonical_url' };
  }
  return null;
}

/** A further leading `#` would hide the tag, and a leading comma is refused. */
function spellTag(name: string): string {
  return name.replace(/^[#,\s]+/, '');
}

function isAcceptedAddress(address: string): boolean {
  return isWebAddress(address) && spellAddress(address).length <= ADDRESS_LENGTH;
}
