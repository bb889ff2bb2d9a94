/**
 * Replaces Liquid tags, which Hashnode does not run: an embed becomes a link, the others stay text.
 */
import { findEmbed } from '../../article/embeds/embed-by-name.ts';
import type { TextEdit } from '../../article/markdown/edits.ts';
import type { Notice } from '../../article/types.ts';
import type { LiquidTag } from '../format/markdown/liquid-tags.ts';
import { findLine } from '../format/markdown/prose.ts';
import { LABEL } from './limits.ts';

export function linkLiquid(source: string, tags: readonly LiquidTag[]): { edits: TextEdit[]; losses: Notice[] } {
  const edits: TextEdit[] = [];
  let firstLink: number | null = null;
  let firstText: number | null = null;
  for (const { start, end, name, value } of tags) {
    const embed = findEmbed(name, value.split(/\s+/));
    if (embed === null) {
      firstText ??= start;
      continue;
    }
    firstLink ??= start;
    edits.push({ start, end, text: `<${embed.url}>` });
  }
  const losses: Notice[] = [];
  if (firstLink !== null) {
    const message = `${LABEL} gets a link in place of a Liquid tag that embeds something.`;
    losses.push({ code: 'embed_linked', message, line: findLine(source, firstLink) });
  }
  if (firstText !== null) {
    const message = `${LABEL} shows this Liquid tag as written, because it renders none.`;
    losses.push({ code: 'liquid_as_text', message, line: findLine(source, firstText) });
  }
  return { edits, losses };
}
