/**
 * The pure part of the registry: format and limits of each platform, without its client. The CLI
 * and the parser threads send nothing, so they load no clients.
 */
import { formatArticle as formatForem } from '../forem/format.ts';
import { LABEL as FOREM_LABEL, limits as foremLimits } from '../forem/limits.ts';
import { formatArticle as formatGhost } from '../ghost/format.ts';
import { LABEL as GHOST_LABEL, limits as ghostLimits } from '../ghost/limits.ts';
import { formatArticle as formatHashnode } from '../hashnode/format.ts';
import { LABEL as HASHNODE_LABEL, limits as hashnodeLimits } from '../hashnode/limits.ts';
import { formatArticle as formatLinkedin } from '../linkedin/format.ts';
import { LABEL as LINKEDIN_LABEL, limits as linkedinLimits } from '../linkedin/limits.ts';
import { formatArticle as formatMedium } from '../medium/format.ts';
import { LABEL as MEDIUM_LABEL, limits as mediumLimits } from '../medium/limits.ts';
import type { Destination, Platform } from '../types.ts';
import { formatArticle as formatWordPress } from '../wordpress/format.ts';
import { LABEL as WORDPRESS_LABEL, limits as wordpressLimits } from '../wordpress/limits.ts';

export type DestinationFormat = Pick<Destination, 'label' | 'limits' | 'format'>;

const FORMATS: Record<Platform, DestinationFormat> = {
  forem: { label: FOREM_LABEL, limits: foremLimits, format: formatForem },
  hashnode: { label: HASHNODE_LABEL, limits: hashnodeLimits, format: formatHashnode },
  medium: { label: MEDIUM_LABEL, limits: mediumLimits, format: formatMedium },
  wordpress: { label: WORDPRESS_LABEL, limits: wordpressLimits, format: formatWordPress },
  ghost: { label: GHOST_LABEL, limits: ghostLimits, format: formatGhost },
  linkedin: { label: LINKEDIN_LABEL, limits: linkedinLimits, format: formatLinkedin },
};

/** Null for a platform that this version does not deliver to. */
export function findFormat(platform: string): DestinationFormat | null {
  return Object.hasOwn(FORMATS, platform) ? (FORMATS[platform as Platform] ?? null) : null;
}

const RENDERING: readonly Platform[] = ['medium', 'wordpress', 'ghost'];

/**
 * Whether the format parses and renders the whole body, which takes about as long as the article's
 * page.
 */
export function rendersHtml(platform: Platform): boolean {
  return RENDERING.includes(platform);
}
