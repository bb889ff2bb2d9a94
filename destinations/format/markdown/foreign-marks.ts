/**
 * Rewrites marks of other tools (Obsidian comments, wiki links, shortcodes, containers, alerts,
 * heading ids) in common Markdown, as the article's page shows them. Comments that their author
 * believes hidden are removed.
 */
import type { PhrasingContent } from 'mdast';
import { isAlertKind } from '../../../article/dialects/alerts.ts';
import { findContainers } from '../../../article/dialects/containers.ts';
import { findHeadingIds } from '../../../article/dialects/inline/heading-ids.ts';
import { findToolMarks } from '../../../article/dialects/tool-marks.ts';
import type { TextEdit } from '../../../article/markdown/edits.ts';
import { isWebAddress } from '../web-address.ts';
import type { Block } from './block-types.ts';
import { createTextTest, selectSpansInText } from './mask.ts';

const MAY_CONTAIN = /%%|%\[|\[\[|\[_?toc|\{\{|\{%|\{[:#]|\)\{|:::|\[!|==|[ \t]\^|@\[/i;

/** Hashnode's syntax of an embed. */
const EMBED = /(?<![%\\])%\[(https?:\/\/[^\s\][<>]{1,2000})\](?![([])/gi;

/** In order. `isNative` is true for marks that the platform itself supports. */
export function rewriteForeign(
  source: string,
  blocks: readonly Block[],
  isNative: (mark: string) => boolean = () => false,
): TextEdit[] {
  if (!MAY_CONTAIN.test(source)) return [];
  const pieces = findToolMarks(source).flatMap(({ start, end, node }): TextEdit[] => {
    const mark = source.slice(start, end);
    const text = mark.startsWith('{{%') || isNative(mark) ? null : writeNode(node, source, start);
    return text === null || text === mark ? [] : [{ start, end, text }];
  });
  const embeds = [...source.matchAll(EMBED)].flatMap(({ 0: mark, 1: address, index }): TextEdit[] =>
    isNative(mark) ? [] : [{ start: index, end: index + mark.length, text: `<${address}>` }],
  );
  const ids = findHeadingIds(source).map(({ start, end }) => ({ start, end, text: '' }));
  const edits = [...pieces, ...embeds, ...ids, ...rewriteContainers(source, blocks), ...rewriteAlerts(source, blocks)];
  return selectSpansInText(edits, source, blocks).map((edit) => separateLines(source, edit));
}

/** A comment in place of the mark: a blank line would let a list above go on. */
function separateLines(source: string, edit: TextEdit): TextEdit {
  if (edit.text !== '') return edit;
  const before = source.slice(Math.max(0, edit.start - 1_000), edit.start);
  const isAlone =
    /(?:^|\n)[ \t]*$/.test(before) &&
    /^[ \t]*(?:\r?\n[ \t]*)*\r?\n[ \t]+\S/.test(source.slice(edit.end, edit.end + 1_000));
  return isAlone ? { ...edit, text: '<!-- -->' } : edit;
}

/** Null for marks that stay as they are. */
function writeNode(node: PhrasingContent | undefined, source: string, start: number): string | null {
  switch (node?.type) {
    case undefined:
    case 'html':
      return '';
    case 'text':
      return node.value;
    case 'image':
      return isWebAddress(node.url) ? `![${escapeMarks(node.alt ?? '')}](<${node.url}>)` : escapeMarks(node.alt ?? '');
    case 'emphasis':
      return node.children.map((child) => writeNode(child, source, start) ?? '').join('');
    case 'break':
      return '  \n';
    case 'link': {
      const [words] = node.children;
      if (words?.type === 'image') return `[${writeNode(words, source, start)}](<${node.url}>)`;
      return `[${escapeMarks(words?.type === 'text' ? words.value : node.url)}](<${node.url}>)`;
    }
    case 'inlineCode': {
      const language = String([node.data?.hProperties?.className ?? ''].flat()[0]).replace(/^language-/, '');
      if (language === '') return `\`${node.value.replaceAll('`', '')}\``;
      const isBlock = start === 0 || source[start - 1] === '\n';
      return isBlock && !node.value.includes('```') ? `\`\`\`${language}\n${node.value}\n\`\`\`` : null;
    }
    default:
      return null;
  }
}

/** Writes the kind or title in bold above the content between the lines of colons. */
function rewriteContainers(source: string, blocks: readonly Block[]): TextEdit[] {
  if (!source.includes(':::')) return [];
  return findContainers(source, createTextTest(source, blocks)).flatMap(({ open, close, name, title }) => [
    { start: open.start, end: open.end, text: writeHead(name, title) },
    { start: close.start, end: close.end, text: '' },
  ]);
}

function writeHead(name: string, title: string): string {
  const words = title === '' ? capitalise(name) : escapeMarks(title);
  return words === '' ? '' : `**${words}:**`;
}

/** Rewrites `> [!NOTE]` as bold text in a quotation. */
function rewriteAlerts(source: string, blocks: readonly Block[]): TextEdit[] {
  return blocks.flatMap((block): TextEdit[] => {
    const [first] = block.kind === 'paragraph' && block.depth > 0 ? block.lines : [];
    if (first === undefined || !source.startsWith('[!', first.start)) return [];
    const [mark, name = ''] = /^\[!([a-z]{3,20})\][+-]?/i.exec(source.slice(first.start, first.start + 30)) ?? [''];
    const before = source.slice(source.lastIndexOf('\n', first.start - 1) + 1, first.start);
    if (!isAlertKind(name) || !/>[ \t]*$/.test(before)) return [];
    return [{ start: first.start, end: first.start + mark.length, text: `**${capitalise(name)}:**` }];
  });
}

function capitalise(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).toLowerCase()}`;
}

function escapeMarks(text: string): string {
  return text.replace(/[[\]\\*_`<>]/g, '\\$&');
}
