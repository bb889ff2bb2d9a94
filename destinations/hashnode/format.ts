/** Formats an article for Hashnode: the payload, the losses and any refusal. Pure. */
import type { DeliverableArticle } from '../../article/types.ts';
import { dropCover, refuseCanonical, refuseEmpty, refuseTooLarge, refuseUntitled } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { mapTags, spellSigns } from '../format/tags.ts';
import { isWebAddress, readCover } from '../format/web-address.ts';
import type { Formatted, RefusalNotice } from '../types.ts';
import { writeBody } from './body.ts';
import { LABEL, limits, REQUEST_BYTES } from './limits.ts';
import { PUBLISH_POST } from './operations.ts';

/** The input that publishing and updating have in common. */
export interface HashnodePayload {
  title: string;
  contentMarkdown: string;
  /** Our own slug of the article, by which `find` recognises the post. Sent on creation only. */
  slug: string;
  tags: { slug: string; name: string }[];
  originalArticleURL: string;
  disableComments: boolean;
  enableToc: boolean;
  /** Creation omits nulls. An update sends them, to clear the fields. */
  optional: { subtitle: string | null; coverImage: string | null; metaDescription: string | null };
}

/** Room for additions of the client: an id, `isDelisted`, the names of null fields. */
const ENVELOPE_BYTES = 300;

export function formatArticle(article: DeliverableArticle): Formatted<HashnodePayload> {
  const cover = readCover(article);
  const tags = mapTags(article.tags, { label: LABEL, max: limits.tags, spell: spellTag });
  const payload: HashnodePayload = {
    title: toPlainLine(article.title),
    contentMarkdown: article.body,
    slug: article.slug,
    tags: tags.tags.map(({ tag: slug, name }) => ({ slug, name })),
    originalArticleURL: article.canonicalUrl,
    disableComments: !article.commentsEnabled,
    enableToc: article.generateToc,
    optional: {
      subtitle: toPlainLine(article.subtitle ?? '') || null,
      coverImage: cover,
      metaDescription: toPlainLine(article.excerpt) || null,
    },
  };
  // Rewriting only adds text, so a body that is already too large is not rewritten.
  if (Buffer.byteLength(article.body) > REQUEST_BYTES) return { payload, losses: tags.losses, refusal: TOO_LARGE };
  const { body, losses } = writeBody(article);
  payload.contentMarkdown = body;
  const coverLosses = article.coverImage === cover ? [] : [dropCover(LABEL)];
  return { payload, losses: [...tags.losses, ...losses, ...coverLosses], refusal: findRefusal(payload) };
}

function findRefusal(payload: HashnodePayload): RefusalNotice | null {
  const request = JSON.stringify({ query: PUBLISH_POST, variables: { input: payload } });
  if (Buffer.byteLength(request) + ENVELOPE_BYTES > REQUEST_BYTES) return TOO_LARGE;
  if (payload.title === '') return refuseUntitled(LABEL);
  if (payload.contentMarkdown.trim() === '') return refuseEmpty(LABEL);
  return isWebAddress(payload.originalArticleURL) ? null : refuseCanonical(LABEL);
}

const TOO_LARGE = refuseTooLarge(LABEL, 'at most 100 KB in one request, including escapes');

function spellTag(name: string): string {
  const plain = spellSigns(name)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f.']/g, '');
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}
