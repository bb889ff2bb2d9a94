/** What Hashnode is sent for an article, what of it is lost there, and whether it would be refused. Pure. */
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { isWebAddress } from '../canonical.ts';
import { spellTag } from '../format/tag-names.ts';
import { plainLine } from '../http/reason.ts';
import type { Formatted } from '../types.ts';
import { rewriteForHashnode } from './body.ts';
import { HASHNODE_LABEL, HASHNODE_REQUEST_BYTES, hashnodeLimits } from './limits.ts';
import { PUBLISH_POST } from './operations.ts';

/** The input that publishing and updating have in common. */
export interface HashnodePayload {
  title: string;
  contentMarkdown: string;
  /** Ours, always the same for an article: how a post is found again. Sent on creation only. */
  slug: string;
  tags: { slug: string; name: string }[];
  originalArticleURL: string;
  disableComments: boolean;
  enableToc: boolean;
  /** Left out on creation where null; sent as null by an update, which clears them. */
  optional: { subtitle: string | null; coverImage: string | null; metaDescription: string | null };
}

/** Room for what the client adds: an id, `isDelisted`, the names of fields that are null. */
const ENVELOPE_BYTES = 300;

export function formatForHashnode(article: DeliverableArticle): Formatted<HashnodePayload> {
  const hasCover = article.coverImage !== null && isWebAddress(article.coverImage);
  const tags = hashnodeTags(article.tags);
  const payload: HashnodePayload = {
    title: plainLine(article.title),
    contentMarkdown: article.body,
    slug: article.slug,
    tags: tags.tags,
    originalArticleURL: article.canonicalUrl,
    disableComments: !article.commentsEnabled,
    enableToc: article.generateToc,
    optional: {
      subtitle: plainLine(article.subtitle ?? '') || null,
      coverImage: hasCover ? article.coverImage : null,
      metaDescription: plainLine(article.excerpt) || null,
    },
  };
  // Rewriting only ever adds a little: nothing that is far too large is worth the time.
  if (Buffer.byteLength(article.body) > HASHNODE_REQUEST_BYTES)
    return { payload, losses: tags.losses, refusal: tooLarge() };
  const { body, losses } = rewriteForHashnode(article.body, article.title);
  payload.contentMarkdown = body;
  const coverLost: Notice[] =
    article.coverImage === null || hasCover
      ? []
      : [
          {
            code: 'cover_dropped',
            message: `${HASHNODE_LABEL} takes a cover only by its full web address.`,
            path: 'cover_image',
          },
        ];
  return { payload, losses: [...tags.losses, ...losses, ...coverLost], refusal: findRefusal(payload) };
}

function findRefusal(payload: HashnodePayload): Notice | null {
  const request = JSON.stringify({ query: PUBLISH_POST, variables: { input: payload } });
  if (Buffer.byteLength(request) + ENVELOPE_BYTES > HASHNODE_REQUEST_BYTES) return tooLarge();
  if (payload.title === '')
    return { code: 'title_missing', message: `${HASHNODE_LABEL} takes no article without a title.`, path: 'title' };
  if (payload.contentMarkdown.trim() === '') {
    return { code: 'body_empty', message: `${HASHNODE_LABEL} takes no article without text.`, path: 'content' };
  }
  if (!isWebAddress(payload.originalArticleURL)) {
    return {
      code: 'canonical_invalid',
      message: `${HASHNODE_LABEL} needs a canonical URL that is a web address.`,
      path: 'canonical_url',
    };
  }
  return null;
}

function tooLarge(): Notice {
  const message = `${HASHNODE_LABEL} takes at most 100 KB in one request, the article with its escapes: shorten it.`;
  return { code: 'body_too_large', message, path: 'content' };
}

function hashnodeTags(names: readonly string[]): { tags: { slug: string; name: string }[]; losses: Notice[] } {
  const tags: { slug: string; name: string }[] = [];
  const losses: Notice[] = [];
  for (const given of names) {
    const name = plainLine(given).replace(/^#/, '');
    const slug = tagSlug(name);
    if (tags.some((tag) => tag.slug === slug)) continue;
    const why =
      slug === ''
        ? 'it has no letters or digits that make a tag address'
        : `it takes no more than ${hashnodeLimits.tags}`;
    if (slug !== '' && tags.length < hashnodeLimits.tags) tags.push({ slug, name });
    else
      losses.push({ code: 'tag_dropped', message: `${HASHNODE_LABEL} gets no tag “${name}”: ${why}.`, path: 'tags' });
  }
  return { tags, losses };
}

function tagSlug(name: string): string {
  const plain = spellTag(name)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f.']/g, '');
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}
