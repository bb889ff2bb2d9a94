/** Builds the article that destinations would get, as far as it is known offline. */
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
    // The address of the site is not known offline. For the checks of the destinations any public address will do.
    canonicalUrl: draft.canonicalUrl ?? `https://example.com/${slug}`,
    coverImage,
    generateToc,
    commentsEnabled,
    body,
  };
}
