/** Rewrites footnotes, which Hashnode does not document, as a list of notes at the end. */
import { applyTextEdits, type TextEdit } from '../../article/markdown/edits.ts';
import type { Block, FootnoteBlock } from '../format/markdown/block-types.ts';
import { type Prose, RegionCursor, replaceProse } from '../format/markdown/prose.ts';

interface Footnotes {
  /** Replace the references and remove the definitions. */
  edits: TextEdit[];
  /** Returns the notes to append to the text. Empty if no note is referred to. */
  writeNotes: (edits: readonly TextEdit[]) => string;
}

/** `proses` is all prose, in order. References without a definition stay as they are. */
export function flattenFootnotes(source: string, blocks: readonly Block[], proses: readonly Prose[]): Footnotes | null {
  const definitions = new Map<string, FootnoteBlock>();
  const all = blocks.filter((block) => block.kind === 'footnote');
  for (const block of all) {
    const key = foldLabel(block.label);
    if (!definitions.has(key)) definitions.set(key, block);
  }
  if (definitions.size === 0) return null;
  const numbers = new Map<string, number>();
  const references = proses.flatMap((prose) => replaceReferences(prose, definitions, numbers));
  const removals = all.map(({ start, end }) => ({ start, end: skipLineEnding(source, end), text: '' }));
  return {
    edits: [...references, ...removals],
    writeNotes: (edits) => {
      const inner = [...edits, ...references];
      const items = [...numbers].map(([key, number]) => {
        const definition = definitions.get(key);
        return definition ? writeNote(source, definition, number, inner) : '';
      });
      return items.length === 0 ? '' : `\n\n---\n\n**Notes**\n\n${items.join('\n')}\n`;
    },
  };
}

function replaceReferences(
  prose: Prose,
  definitions: ReadonlyMap<string, unknown>,
  numbers: Map<string, number>,
): TextEdit[] {
  const walk = new RegionCursor(prose.regions);
  return [...prose.text.matchAll(/\[\^([^\]\s[]{1,999})\]/g)].flatMap(({ 0: mark, 1: label, index }) => {
    const key = foldLabel(label ?? '');
    if (!definitions.has(key) || walk.findRegion(index) !== null || prose.text[index - 1] === '\\') return [];
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    return [replaceProse(prose, index, index + mark.length, `\\[${number}\\]`)];
  });
}

/** Writes one item of the list. Lines after its first get the item's indentation. */
function writeNote(source: string, definition: FootnoteBlock, number: number, edits: readonly TextEdit[]): string {
  const content = applyTextEdits(source, edits, definition.contentStart, definition.end).trim();
  const mark = `${number}. `;
  const [first = '', ...others] = content.split(/\r?\n/);
  const indented = others.map((line) =>
    line.trim() === '' ? '' : ' '.repeat(mark.length) + line.replace(/^(?: {1,4}|\t)/, ''),
  );
  return [mark + first, ...indented].join('\n');
}

function skipLineEnding(source: string, end: number): number {
  if (source.startsWith('\r\n', end)) return end + 2;
  return source[end] === '\n' ? end + 1 : end;
}

function foldLabel(label: string): string {
  return label.toLowerCase();
}
