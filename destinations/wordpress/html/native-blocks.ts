/** Writes elements as blocks of core. Its editor reports any difference as damage. */
import type { Element, RootContent } from 'hast';
import { buildElement, isBare, listSolid } from '../../format/figure.ts';
import { buildEmbed, findLoneEmbed } from './embeds.ts';
import { buildFigure, buildLoneImages, type ImageBlock } from './images.ts';
import { isInline, writeHtml } from './write-html.ts';

type WriteInner = (nodes: readonly RootContent[]) => string;

/** The block, or null if core has none that shows the element unchanged. */
export function writeNativeBlock(node: Element, writeInner: WriteInner): string | null {
  if (/^h[2-6]$/.test(node.tagName)) return writeHeading(node);
  switch (node.tagName) {
    case 'p':
      return writeParagraph(node);
    case 'pre':
      return writeCode(node);
    case 'hr':
      return isBare(node) ? writeBlock('separator', SEPARATOR) : null;
    case 'ul':
    case 'ol':
      return writeList(node);
    case 'blockquote':
      return writeQuote(node, writeInner);
    case 'table':
      return writeTable(node);
    case 'figure': {
      const image = buildFigure(node, isInline);
      return image === null ? null : writeImage(image);
    }
    case 'div':
      // Without attributes it has no effect.
      return isBare(node) ? writeInner(node.children) : null;
    default:
      return null;
  }
}

const SEPARATOR = '<hr class="wp-block-separator has-alpha-channel-opacity"/>';

function writeParagraph(node: Element): string | null {
  if (!isBare(node) || !containsOnlyInline(node)) return null;
  const address = findLoneEmbed(node.children);
  if (address !== null) {
    const { html, attributes } = buildEmbed(address);
    return writeBlock('embed', html, attributes);
  }
  const images = buildLoneImages(node.children);
  if (images !== null) return images.map(writeImage).join('\n\n');
  return writeBlock('paragraph', `<p>${writeHtml(node.children).trim()}</p>`);
}

function writeImage({ figure, attributes }: ImageBlock): string {
  return writeBlock('image', writeHtml([figure]), Object.keys(attributes).length === 0 ? undefined : attributes);
}

function writeHeading(node: Element): string | null {
  if (!isBare(node, ['id']) || !containsOnlyInline(node)) return null;
  const level = Number(node.tagName.slice(1));
  const properties = { className: ['wp-block-heading'], ...node.properties };
  return writeBlock('heading', writeHtml([{ ...node, properties }]), level === 2 ? undefined : { level });
}

/** The language becomes a class of the block, where highlighters also search for it. */
function writeCode(node: Element): string | null {
  const [only] = node.children;
  if (!isBare(node) || node.children.length !== 1 || only?.type !== 'element' || only.tagName !== 'code') return null;
  if (!isBare(only, ['className']) || !containsOnlyInline(only)) return null;
  const language = String([only.properties.className ?? []].flat()[0] ?? '');
  // Two dashes would end the comment that names the class.
  const className = /^language-(?:[\w+#.]|-(?!-))+$/.test(language) ? language : null;
  const classes = ['wp-block-code', ...(className === null ? [] : [className])];
  // The renderer ends code with a line break, which the editor would show as an empty line.
  const inner = writeHtml(only.children).replace(/\n$/, '');
  const html = `<pre class="${classes.join(' ')}"><code>${inner}</code></pre>`;
  return writeBlock('code', html, className === null ? undefined : { className });
}

/** Only lists of lines: an item of core's list contains a line of text and nested lists. */
function writeList(node: Element): string | null {
  const isOrdered = node.tagName === 'ol';
  if (!isBare(node, isOrdered ? ['start'] : [])) return null;
  const items = listSolid(node.children).map((child) =>
    child.type === 'element' && child.tagName === 'li' && isBare(child) ? writeListItem(child) : null,
  );
  if (items.includes(null)) return null;
  const start = Number(node.properties.start ?? 1);
  const attributes = isOrdered ? { ordered: true, ...(start === 1 ? {} : { start }) } : undefined;
  const number = isOrdered && start !== 1 ? ` start="${start}"` : '';
  const html = `<${node.tagName}${number} class="wp-block-list">${items.join('\n\n')}</${node.tagName}>`;
  return writeBlock('list', html, attributes);
}

function writeListItem({ children }: Element): string | null {
  const found = children.findIndex((child) => child.type === 'element' && !isInline(child));
  const firstList = found === -1 ? children.length : found;
  const below = listSolid(children.slice(firstList)).map((child) =>
    child.type === 'element' && /^[uo]l$/.test(child.tagName) ? writeList(child) : null,
  );
  if (below.includes(null)) return null;
  return writeBlock('list-item', `<li>${writeHtml(children.slice(0, firstList)).trim()}${below.join('')}</li>`);
}

function writeQuote(node: Element, writeInner: WriteInner): string | null {
  if (!isBare(node, ['className'])) return null;
  // The kind of an alert.
  const className = [node.properties.className ?? []].flat().join(' ');
  const classes = className === '' ? 'wp-block-quote' : `wp-block-quote ${className}`;
  const html = `<blockquote class="${classes}">${writeInner(node.children)}</blockquote>`;
  return writeBlock('quote', html, className === '' ? undefined : { className });
}

function writeTable(node: Element): string | null {
  if (!isBare(node)) return null;
  const sections = listSolid(node.children).map((section) =>
    section.type === 'element' && /^t(?:head|body|foot)$/.test(section.tagName) && isBare(section)
      ? buildRows(section)
      : null,
  );
  if (!sections.every((section) => section !== null)) return null;
  const figure = buildElement('figure', { className: ['wp-block-table'] }, [buildElement('table', {}, sections)]);
  return writeBlock('table', writeHtml([figure]), { hasFixedLayout: false });
}

function buildRows({ tagName, children }: Element): Element | null {
  const rows = children.flatMap((row) => (row.type === 'element' ? [buildRow(row)] : []));
  return rows.every((row) => row !== null) ? buildElement(tagName, {}, rows) : null;
}

function buildRow(row: Element): Element | null {
  const cells = row.children.filter((cell) => cell.type === 'element');
  const isPlain = cells.every(
    (cell) => /^t[dh]$/.test(cell.tagName) && isBare(cell, ['align']) && containsOnlyInline(cell),
  );
  if (row.tagName !== 'tr' || !isBare(row) || !isPlain) return null;
  const aligned = cells.map(({ tagName, properties: { align }, children }) =>
    buildElement(tagName, align ? { className: [`has-text-align-${align}`], dataAlign: align } : {}, children),
  );
  return buildElement('tr', {}, aligned);
}

function containsOnlyInline(node: Element): boolean {
  return node.children.every((child) => child.type !== 'element' || isInline(child));
}

function writeBlock(name: string, html: string, attributes?: object): string {
  const json = attributes === undefined ? '' : ` ${escapeJson(JSON.stringify(attributes))}`;
  return `<!-- wp:${name}${json} -->\n${html}\n<!-- /wp:${name} -->`;
}

/** Escapes JSON as WordPress writes it into a comment, which two dashes would end. */
function escapeJson(json: string): string {
  return json.replaceAll('--', '\\u002d\\u002d').replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}
