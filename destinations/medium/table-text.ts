/** Writes a table as lines of aligned text, for a platform without tables. */
import type { Element, ElementContent, Nodes } from 'hast';
import { walkTree } from '../../article/walk-tree.ts';
import { isWebAddress } from '../format/web-address.ts';

interface Cell {
  text: string;
  align: 'left' | 'right' | 'center';
}

/** Wider cells overflow their column, so that they do not push the others apart. */
const MAX_COLUMN_WIDTH = 60;
/** A table that needs more padding than this (thousands of columns) is not aligned. */
const MAX_PADDING_CHARACTERS = 500_000;

export function writeTable(table: Element): string {
  const rows = readRows(table);
  const widths: number[] = [];
  for (const { cells } of rows) {
    for (const [column, { text }] of cells.entries()) {
      widths[column] = Math.max(widths[column] ?? 1, Math.min(measureWidth(text), MAX_COLUMN_WIDTH));
    }
  }
  const isPadded = rows.length * widths.reduce((sum, width) => sum + width, 0) <= MAX_PADDING_CHARACTERS;
  const lines = rows.map(({ cells }) => {
    const texts = isPadded
      ? cells.map((cell, column) => pad(cell, widths[column] ?? 1))
      : cells.map(({ text }) => text);
    return texts.join(' | ').replace(/[\s|]+$/, '');
  });
  const heads = rows.findIndex(({ isHead }) => !isHead);
  if (heads > 0 && isPadded) lines.splice(heads, 0, widths.map((width) => '-'.repeat(width)).join('-|-'));
  return [...readCaptions(table), ...lines].join('\n');
}

function readRows(table: Element): { cells: Cell[]; isHead: boolean }[] {
  const rows: { cells: Cell[]; isHead: boolean }[] = [];
  walkTree<Nodes>(table, (node) => {
    if (node.type !== 'element' || node.tagName !== 'tr') return undefined;
    const elements = node.children.filter(isCell);
    const isHead = elements.length > 0 && elements.every(({ tagName }) => tagName === 'th');
    rows.push({ cells: elements.map(readCell), isHead });
    return 'skip';
  });
  return rows;
}

function isCell(node: ElementContent): node is Element {
  return node.type === 'element' && (node.tagName === 'td' || node.tagName === 'th');
}

function readCell(cell: Element): Cell {
  const { align } = cell.properties;
  return { text: flatten(cell), align: align === 'right' || align === 'center' ? align : 'left' };
}

function readCaptions(table: Element): string[] {
  const captions = table.children.filter((child) => child.type === 'element' && child.tagName === 'caption');
  return captions.map(flatten).filter((text) => text !== '');
}

function flatten(node: ElementContent): string {
  return readText(node).replace(/\s+/g, ' ').trim();
}

/** Plain text cannot link, so addresses are written out. An image becomes its alternative text. */
function readText(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return '';
  if (node.tagName === 'br') return ' ';
  if (node.tagName === 'img') return String(node.properties.alt ?? '');
  const inner = node.children.map(readText).join('');
  if (node.tagName === 'sup' && node.children.some(isFootnoteReference)) return `[${inner}]`;
  const href = node.tagName === 'a' ? String(node.properties.href ?? '') : '';
  if (isWebAddress(href) && href !== inner.trim()) return `${inner} (${href})`;
  return BLOCKS.has(node.tagName) ? ` ${inner} ` : inner;
}

function isFootnoteReference(node: ElementContent): boolean {
  return node.type === 'element' && node.properties.dataFootnoteRef !== undefined;
}

const BLOCKS = new Set(['p', 'li', 'div', 'pre', 'td', 'th', 'tr', 'blockquote']);

function pad({ text, align }: Cell, width: number): string {
  const missing = Math.max(0, width - measureWidth(text));
  const before = align === 'right' ? missing : align === 'center' ? Math.floor(missing / 2) : 0;
  return ' '.repeat(before) + text + ' '.repeat(missing - before);
}

/** Columns in a monospaced font: two for East Asian characters and emoji, none for accents. */
function measureWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : /\p{M}/u.test(character) ? 0 : 1;
  return width;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
