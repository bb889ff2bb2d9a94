/** An article's body as the blocks that a WordPress site shows, closed by the line that names the original. */
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { scanBlocks } from '../format/markdown/blocks.ts';
import { findLine } from '../format/markdown/prose.ts';
import { renderBody } from '../format/render-body.ts';
import { adaptTree } from './html/adapt-tree.ts';
import { writeBlocks } from './html/blocks.ts';
import { writeMarker } from './html/marker.ts';
import { LABEL } from './limits.ts';

export function writeBody(article: DeliverableArticle): { body: string; losses: Notice[] } {
  const tree = renderBody(article);
  const losses = [...findEmbeds(article.body), ...adaptTree(tree)];
  const body = [writeBlocks(tree.children), writeMarker(article.canonicalUrl)].join('\n\n').trimStart();
  return { body, losses };
}

/** Frames, videos and audio have become links in the tree, so the source is searched for them. */
function findEmbeds(source: string): Notice[] {
  // Most articles have none, so they are not scanned.
  if (!EMBED.test(source)) return [];
  for (const block of scanBlocks(source)) {
    if (block.kind !== 'html' && block.kind !== 'paragraph') continue;
    const line = block.lines.find(({ start, end }) => EMBED.test(source.slice(start, end)));
    if (line === undefined) continue;
    const message = `${LABEL} gets a link in place of what is embedded here.`;
    return [{ code: 'embed_as_link', message, line: findLine(source, line.start) }];
  }
  return [];
}

const EMBED = /<(?:iframe|video|audio|object|embed)\b/i;
