/** The article as destinations would get it, as far as it is known offline. */
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
    // The site's own address is not known offline, and no destination minds which public one it is.
    canonicalUrl: draft.canonicalUrl ?? `https://example.com/${slug}`,
    coverImage,
    generateToc,
    commentsEnabled,
    body,
  };
}
