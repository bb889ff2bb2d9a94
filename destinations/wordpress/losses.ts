/** What of an article's settings and embeds a WordPress site does not get. */
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { isWebAddress } from '../canonical.ts';
import { scanBlocks } from '../format/markdown/blocks.ts';
import { lineAt } from '../format/markdown/prose.ts';
import { plainLine } from '../http/reason.ts';
import { WORDPRESS_LABEL, WORDPRESS_TAG_LENGTH, wordpressLimits } from './limits.ts';

/** Names as the site shows them, once each whatever their case. */
export function tagsFor(names: readonly string[]): { tags: string[]; losses: Notice[] } {
  const tags: string[] = [];
  const losses: Notice[] = [];
  const seen = new Set<string>();
  for (const given of names) {
    const name = plainLine(given).replace(/^#/, '').trim();
    const key = name.toLowerCase();
    if (name === '' || seen.has(key)) continue;
    seen.add(key);
    if (name.length <= WORDPRESS_TAG_LENGTH && tags.length < wordpressLimits.tags) {
      tags.push(name);
    } else {
      const why =
        name.length > WORDPRESS_TAG_LENGTH
          ? `it is longer than ${WORDPRESS_TAG_LENGTH} characters`
          : `it is sent no more than ${wordpressLimits.tags}`;
      const message = `${WORDPRESS_LABEL} gets no tag “${name.slice(0, 60)}”: ${why}.`;
      losses.push({ code: 'tag_dropped', message, path: 'tags' });
    }
  }
  return { tags, losses };
}

/** Null where the cover can be sent, as far as its address tells. */
export function coverLost(cover: string | null): Notice | null {
  if (cover === null) return null;
  const lost = (message: string): Notice => ({ code: 'cover_dropped', message, path: 'cover_image' });
  if (!isWebAddress(cover)) return lost(`${WORDPRESS_LABEL} gets a cover only by its full web address.`);
  if (/\.svgz?$/i.test(new URL(cover).pathname)) {
    return lost(`${WORDPRESS_LABEL} takes no SVG as a cover: use PNG, JPEG, GIF or WebP.`);
  }
  return null;
}

/** Frames, films and sounds have become links in the tree; where they were is told by the source. */
export function embedsLost(source: string): Notice[] {
  // Most articles have none, and need no second look.
  if (!EMBED.test(source)) return [];
  for (const block of scanBlocks(source)) {
    if (block.kind !== 'html' && block.kind !== 'paragraph') continue;
    const line = block.lines.find(({ start, end }) => EMBED.test(source.slice(start, end)));
    if (line === undefined) continue;
    const message = `${WORDPRESS_LABEL} gets a link in place of what is embedded here.`;
    return [{ code: 'embed_as_link', message, line: lineAt(source, line.start) }];
  }
  return [];
}

const EMBED = /<(?:iframe|video|audio)\b/i;

export function settingsLost(article: DeliverableArticle): Notice[] {
  const lost: Notice[] = [];
  if (plainLine(article.subtitle ?? '') !== '') {
    lost.push({ code: 'subtitle_dropped', message: `${WORDPRESS_LABEL} has no subtitles.`, path: 'subtitle' });
  }
  if (article.generateToc) {
    const message = `${WORDPRESS_LABEL} makes no table of contents of its own.`;
    lost.push({ code: 'toc_dropped', message, path: 'generate_toc' });
  }
  return lost;
}
