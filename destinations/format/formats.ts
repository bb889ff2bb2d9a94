/**
 * The pure half of the registry: what each platform makes of an article and what its bounds are, without the clients. The command
 * line and the threads that read documents send nothing, and are spared everything that would.
 */
import { formatForForem } from '../forem/format.ts';
import { FOREM_LABEL, foremLimits } from '../forem/limits.ts';
import { formatForGhost } from '../ghost/format.ts';
import { GHOST_LABEL, ghostLimits } from '../ghost/limits.ts';
import { formatForHashnode } from '../hashnode/format.ts';
import { HASHNODE_LABEL, hashnodeLimits } from '../hashnode/limits.ts';
import { formatForLinkedin } from '../linkedin/format.ts';
import { LINKEDIN_LABEL, linkedinLimits } from '../linkedin/limits.ts';
import { formatForMedium } from '../medium/format.ts';
import { MEDIUM_LABEL, mediumLimits } from '../medium/limits.ts';
import type { Destination, Platform } from '../types.ts';
import { formatForWordPress } from '../wordpress/format.ts';
import { WORDPRESS_LABEL, wordpressLimits } from '../wordpress/limits.ts';

export type DestinationFormat = Pick<Destination, 'label' | 'limits' | 'format'>;

const FORMATS: Record<Platform, DestinationFormat> = {
  forem: { label: FOREM_LABEL, limits: foremLimits, format: formatForForem },
  hashnode: { label: HASHNODE_LABEL, limits: hashnodeLimits, format: formatForHashnode },
  medium: { label: MEDIUM_LABEL, limits: mediumLimits, format: formatForMedium },
  wordpress: { label: WORDPRESS_LABEL, limits: wordpressLimits, format: formatForWordPress },
  ghost: { label: GHOST_LABEL, limits: ghostLimits, format: formatForGhost },
  linkedin: { label: LINKEDIN_LABEL, limits: linkedinLimits, format: formatForLinkedin },
};

/** Null for a platform that this version does not deliver to. */
export function formatOf(platform: string): DestinationFormat | null {
  return Object.hasOwn(FORMATS, platform) ? (FORMATS[platform as Platform] ?? null) : null;
}

const RENDERING: readonly Platform[] = ['medium', 'wordpress', 'ghost'];

/** Whether the format parses and renders the whole body, which takes about as long as reading and rendering the article did. */
export function rendersHtml(platform: Platform): boolean {
  return RENDERING.includes(platform);
}
