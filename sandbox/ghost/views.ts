/** Builds Ghost's JSON for a post. */
import type { GhostRecord } from './records.ts';

/** `fields` lists the requested fields, `formats` the formats of the text; default: Lexical. */
export function showPost(
  post: GhostRecord,
  siteUrl: string,
  { fields, formats }: { fields?: string | undefined; formats?: string | undefined },
): Record<string, unknown> {
  const picked = fields?.split(',');
  const texts: Record<string, unknown> = {
    html: post.html,
    plaintext: post.html?.replace(/<[^>]*>/g, '') ?? null,
    lexical: JSON.stringify({ root: { children: [], type: 'root', version: 1 } }),
    mobiledoc: null,
  };
  const shown = (formats ?? 'lexical,mobiledoc').split(',').filter((format) => format in texts);
  const allFields: Record<string, unknown> = {
    id: post.id,
    uuid: post.uuid,
    title: post.title,
    slug: post.slug,
    ...(picked ? {} : Object.fromEntries(shown.map((format) => [format, texts[format]]))),
    feature_image: post.featureImage,
    status: post.status,
    visibility: 'public',
    created_at: post.createdAt,
    updated_at: post.updatedAt,
    published_at: post.publishedAt,
    custom_excerpt: post.customExcerpt,
    canonical_url: post.canonicalUrl,
    tags: post.tags.map((name) => ({ name, slug: slugify(name), visibility: 'public' })),
    // A draft's address contains its uuid, so it is shown only if the uuid was requested too.
    url:
      post.status === 'published' ? `${siteUrl}${post.slug}/` : `${siteUrl}p/${hasUuid(picked) ? `${post.uuid}/` : ''}`,
    meta_title: post.metaTitle,
    meta_description: post.metaDescription,
  };
  return picked ? Object.fromEntries(Object.entries(allFields).filter(([name]) => picked.includes(name))) : allFields;
}

export function slugify(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f']/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 185);
}

function hasUuid(fields: string[] | undefined): boolean {
  return fields?.includes('uuid') ?? true;
}
