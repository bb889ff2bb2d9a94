/**
 * Writes elements as blocks of core, exactly as its editor does. The editor reports any difference
 * as damage.
 */
import type { Element, ElementContent, RootContent } from 'hast';
import { isBare } from '../../format/figure.ts';
import { buildEmbed, findLoneEmbed } from './embeds.ts';
import { buildFigure, buildLoneImages, type ImageBlock } from './images.ts';
import { isInline, writeHtml } from './write-html.ts';

/**
 * The block, or null if core has none that shows the element unchanged. `writeInner` writes the
 * content of a block.
 */
export function writeNativeBlock(node: Element, writeInner: (nodes: readonly RootContent[]) => string): string | null {
  switch (node.tagName) {
    case 'p':
      return writeParagraph(node);
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return writeHeading(node);
    case 'pre':
      return writeCode(node);
    case 'hr':
      return isBare(node)
        ? writeBlock('separator', '<hr class="wp-block-separator has-alpha-channel-opacity"/>')
        : null;
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
  // The renderer ends every block of code with a line break, which the editor would show as an
  // empty line.
  const inner = writeHtml(only.children).replace(/\n$/, '');
  const html = `<pre class="${classes.join(' ')}"><code>${inner}</code></pre>`;
  return writeBlock('code', html, className === null ? undefined : { className });
}

/** Only lists of lines: an item of core's list contains a line of text and nested lists. */
function writeList(node: Element): string | null {
  const isOrdered = node.tagName === 'ol';
  if (!isBare(node, isOrdered ? ['start'] : [])) return null;
  const items: string[] = [];
  for (const child of node.children) {
    if (child.type === 'text' && child.value.trim() === '') continue;
    const item = child.type === 'element' && child.tagName === 'li' && isBare(child) ? writeListItem(child) : null;
    if (item === null) return null;
    items.push(item);
  }
  const start = Number(node.properties.start ?? 1);
  const attributes = isOrdered ? { ordered: true, ...(start === 1 ? {} : { start }) } : undefined;
  const opening = isOrdered && start !== 1 ? `<ol start="${start}" class="wp-block-list">` : null;
  const html = `${opening ?? `<${node.tagName} class="wp-block-list">`}${items.join('\n\n')}</${node.tagName}>`;
  return writeBlock('list', html, attributes);
}

function writeListItem(item: Element): string | null {
  const firstList = item.children.findIndex((child) => child.type === 'element' && !isInline(child));
  const line = firstList === -1 ? item.children : item.children.slice(0, firstList);
  const inner: string[] = [];
  for (const child of firstList === -1 ? [] : item.children.slice(firstList)) {
    if (child.type === 'text' && child.value.trim() === '') continue;
    const below =
      child.type === 'element' && (child.tagName === 'ul' || child.tagName === 'ol') ? writeList(child) : null;
    if (below === null) return null;
    inner.push(below);
  }
  return writeBlock('list-item', `<li>${writeHtml(line).trim()}${inner.join('')}</li>`);
}

function writeQuote(node: Element, writeInner: (nodes: readonly RootContent[]) => string): string | null {
  if (!isBare(node, ['className'])) return null;
  // The kind of an alert.
  const className = [node.properties.className ?? []].flat().join(' ');
  const classes = className === '' ? 'wp-block-quote' : `wp-block-quote ${className}`;
  const html = `<blockquote class="${classes}">${writeInner(node.children)}</blockquote>`;
  return writeBlock('quote', html, className === '' ? undefined : { className });
}

function writeTable(node: Element): string | null {
  if (!isBare(node)) return null;
  const sections: Element[] = [];
  for (const section of node.children) {
    if (section.type === 'text' && section.value.trim() === '') continue;
    if (section.type !== 'element' || !['thead', 'tbody', 'tfoot'].includes(section.tagName)) return null;
    const rows = section.children.flatMap((row) => (row.type === 'element' ? [buildTableRow(row)] : []));
    if (!isBare(section) || rows.some((row) => row === null)) return null;
    sections.push(buildElement(section.tagName, {}, rows as Element[]));
  }
  const figure = buildElement('figure', { className: ['wp-block-table'] }, [buildElement('table', {}, sections)]);
  return writeBlock('table', writeHtml([figure]), { hasFixedLayout: false });
}

function buildTableRow(row: Element): Element | null {
  const cells: Element[] = [];
  for (const cell of row.children) {
    if (cell.type !== 'element') continue;
    if ((cell.tagName !== 'td' && cell.tagName !== 'th') || !isBare(cell, ['align']) || !containsOnlyInline(cell))
      return null;
    const { align } = cell.properties;
    const aligned = align ? { className: [`has-text-align-${align}`], dataAlign: align } : {};
    cells.push(buildElement(cell.tagName, aligned, cell.children));
  }
  return row.tagName === 'tr' && isBare(row) ? buildElement('tr', {}, cells) : null;
}

function containsOnlyInline(node: Element): boolean {
  return node.children.every((child) => child.type !== 'element' || isInline(child));
}

function buildElement(tagName: string, properties: Element['properties'], children: ElementContent[] = []): Element {
  return { type: 'element', tagName, properties, children };
}

function writeBlock(name: string, html: string, attributes?: object): string {
  const json = attributes === undefined ? '' : ` ${escapeJson(JSON.stringify(attributes))}`;
  return `<!-- wp:${name}${json} -->\n${html}\n<!-- /wp:${name} -->`;
}

/** Escapes JSON as WordPress writes it into a comment, which two dashes would end. */
function escapeJson(json: string): string {
  return json.replaceAll('--', '\\u002d\\u002d').replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}
