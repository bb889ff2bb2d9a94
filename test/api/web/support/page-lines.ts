/** Describes pages in lines that are the same in each run. */
import type { Nodes } from 'hast';
import type { TestApi } from '../../../support/api/api.ts';

const SKIPPED = new Set(['script', 'style', 'template', 'datalist']);
const LISTED = new Set(['a', 'button', 'form', 'img', 'input', 'meta', 'option', 'select', 'textarea', 'link', 'li']);
const SHOWN = [
  'className',
  'href',
  'action',
  'name',
  'type',
  'value',
  'placeholder',
  'title',
  'alt',
  'ariaLabel',
  'content',
];

/** One line per text, link and form field. */
export function listLines(node: Nodes): string[] {
  if (node.type === 'text') return [node.value.replace(/\s+/g, ' ').trim()];
  if (node.type === 'root') return node.children.flatMap(listLines);
  if (node.type !== 'element' || SKIPPED.has(node.tagName)) return [];
  const { tagName, properties, children } = node;
  const shown = SHOWN.filter((name) => LISTED.has(tagName) && properties[name] != null);
  const fields = shown.map((name) => ` ${name}=${[properties[name]].flat().join(' ').replace(/\s+/g, ' ')}`).join('');
  return [...(fields === '' ? [] : [`<${tagName}${fields}>`]), ...children.flatMap(listLines)];
}

/** One line per text, and per element that has attributes, with all of them. */
export function listAllLines(node: Nodes): string[] {
  if (node.type === 'text') return [node.value.replace(/\s+/g, ' ').trim()];
  if (node.type === 'root') return node.children.flatMap(listAllLines);
  if (node.type !== 'element') return [];
  const { tagName, properties, children } = node;
  const attributes = Object.entries(properties).map(([name, value]) => ` ${name}=${[value].flat().join(' ')}`);
  return [`<${tagName}${attributes.join('')}>`, ...children.flatMap(listAllLines)];
}

/** Replaces what differs between two runs. */
export function normalise(api: TestApi, text: string): string {
  return normaliseIds(api, text)
    .replaceAll(/\b20\d\d-\d\d-\d\d(?:T[\d:.]+Z)?\b/g, '{date}')
    .replaceAll(/\b\d{1,2} [A-Z][a-z]{2,8} 20\d\d\b|\b[A-Z][a-z]{2,8} \d{1,2}, 20\d\d\b/g, '{date}')
    .replaceAll(/\b\d\d:\d\d(?::\d\d)?\b/g, '{time}');
}

/** Replaces what differs between two runs with the same clock. */
export function normaliseIds(api: TestApi, text: string): string {
  return text
    .replaceAll(api.url, '{site}')
    .replaceAll(api.baseUrl, '{site}')
    .replaceAll(encodeURIComponent(api.baseUrl), '{site}')
    .replaceAll(/courant_[0-9a-f]{48}/g, '{token}')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}')
    .replaceAll(/\b[0-9a-f]{8,}\b|^[0-9a-f]{4}$/gm, '{hash}');
}
