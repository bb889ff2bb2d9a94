/** Writes an article's body as WordPress blocks, with a last line that names the original. */
import type { Nodes, Root } from 'mdast';
import { closeTree } from '../../article/markdown/close-tree.ts';
import { parseMarkdown } from '../../article/markdown/parse-markdown.ts';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { walkTree } from '../../article/walk-tree.ts';
import { readLine } from '../format/losses.ts';
import { renderBody } from '../format/render-body.ts';
import { adaptTree } from './html/adapt-tree.ts';
import { writeBlocks } from './html/blocks.ts';
import { findLoneEmbed } from './html/embeds.ts';
import { writeMarker } from './html/marker.ts';
import { LABEL } from './limits.ts';

export function writeBody(article: DeliverableArticle): { body: string; losses: Notice[] } {
  const tree = closeTree(parseMarkdown(article.body));
  const linked = listFrames(tree);
  const html = renderBody(article, {
    tree,
    onLiquid: (text, around) => {
      if (findLoneEmbed(around) === null) linked.push(readLine(text) ?? Number.POSITIVE_INFINITY);
    },
  });
  const losses = [...reportLinks(linked), ...adaptTree(html)];
  const body = [writeBlocks(html.children), writeMarker(article.canonicalUrl)].join('\n\n').trimStart();
  return { body, losses };
}

const FRAME = /<(?:iframe|video|audio|object|embed)\b/i;

/** The lines of frames, videos and audio, which are links in the rendered tree. */
function listFrames(tree: Root): number[] {
  const lines: number[] = [];
  walkTree<Nodes>(tree, (node) => {
    const at = node.type === 'html' ? node.value.search(FRAME) : -1;
    if (node.type !== 'html' || at === -1) return undefined;
    lines.push((node.position?.start.line ?? 1) + node.value.slice(0, at).split('\n').length - 1);
    return undefined;
  });
  return lines;
}

function reportLinks(lines: readonly number[]): Notice[] {
  if (lines.length === 0) return [];
  const line = Math.min(...lines.slice(0, 1000));
  const message = `${LABEL} gets a link in place of what is embedded here.`;
  return [{ code: 'embed_as_link', message, ...(Number.isFinite(line) ? { line } : {}) }];
}
