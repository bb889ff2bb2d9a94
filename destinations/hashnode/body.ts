/** Rewrites a Markdown body for Hashnode. Everything else stays byte for byte. */
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { scanBlocks } from '../format/markdown/blocks.ts';
import { applyEdits, type Edit } from '../format/markdown/edits.ts';
import { findLine, type Prose, RegionWalk, readProse, replaceProse } from '../format/markdown/prose.ts';
import { removeTitleHeading } from '../format/markdown/title-heading.ts';
import { flattenFootnotes } from './footnotes.ts';

export function writeBody({ body: source, title }: DeliverableArticle): { body: string; losses: Notice[] } {
  const blocks = scanBlocks(source);
  const proses = [...readProse(source, blocks)];
  const edits = proses.flatMap(escapeEmbeds);
  const footnotes = flattenFootnotes(source, blocks, proses);
  const text = applyEdits(source, [
    ...removeTitleHeading(source, blocks, title),
    ...edits,
    ...(footnotes?.edits ?? []),
  ]);
  if (!footnotes) return { body: text, losses: [] };
  const line = findLine(source, blocks.find((block) => block.kind === 'footnote')?.start ?? 0);
  const message = 'Hashnode gets the footnotes as a list of notes at the end.';
  return {
    body: `${text.trimEnd()}${footnotes.writeNotes(edits)}`,
    losses: [{ code: 'footnotes_flattened', message, line }],
  };
}

/** `%[address]` embeds a page and `%%[name]` shows a widget. With the sign as an entity, both stay text; links stay links. */
function escapeEmbeds(prose: Prose): Edit[] {
  if (prose.block.kind === 'indented') return [];
  const walk = new RegionWalk(prose.regions);
  return [...prose.text.matchAll(/%(?=\[)/g)].flatMap(({ index }) => {
    const region = walk.findRegion(index);
    if (region?.kind === 'code') return [];
    return [replaceProse(prose, index, index + 1, region?.kind === 'url' ? '%25' : '&#37;')];
  });
}
