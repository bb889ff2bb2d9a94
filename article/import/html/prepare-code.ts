/** Converts code blocks to `pre > code.language-x` with line breaks as characters. */
import type { Element, ElementContent, Nodes } from 'hast';
import { SKIP, visit } from 'unist-util-visit';

const NONE = new Set(['none', 'plain', 'plaintext', 'text', 'txt', 'code', 'undefined', 'auto']);

export function prepareCode(tree: Nodes): void {
  copyLanguages(tree);
  visit(tree, 'element', (node) => {
    if (node.tagName !== 'pre') return undefined;
    const language = findLanguage(node);
    const className = language === null ? [] : [`language-${language}`];
    const text = readCode(node.children).replace(/\n$/, '');
    node.children = [
      { type: 'element', tagName: 'code', properties: { className }, children: [{ type: 'text', value: `${text}\n` }] },
    ];
    return SKIP;
  });
}

/** The text with its line breaks, without line numbers. */
function readCode(nodes: readonly ElementContent[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'text') return node.value;
      if (node.type !== 'element' || isGutter(node)) return '';
      if (node.tagName === 'br') return '\n';
      const inner = readCode(node.children);
      return /^(?:div|p|tr|li)$/.test(node.tagName) && !inner.endsWith('\n') ? `${inner}\n` : inner;
    })
    .join('');
}

function isGutter({ properties }: Element): boolean {
  return listClasses(properties.className).some((name) =>
    /^(?:(?:rouge-)?gutter|line-?nos?|lineno|line-numbers-rows)$/.test(name),
  );
}

function findLanguage(node: Element): string | null {
  const language = readLanguage(node);
  if (language !== null) return language;
  const code = node.children.find((child) => child.type === 'element' && child.tagName === 'code');
  return code?.type === 'element' ? readLanguage(code) : null;
}

/** Jekyll and GitHub write the language on an element around the code. */
function copyLanguages(tree: Nodes): void {
  visit(tree, 'element', (container) => {
    const language = /^(?:div|figure)$/.test(container.tagName) ? readLanguage(container) : null;
    if (language === null) return;
    visit(container, 'element', (node) => {
      if (node.tagName === 'pre' && findLanguage(node) === null) node.properties.dataLang = language;
    });
  });
}

function readLanguage({ properties }: Element): string | null {
  const { dataLang, dataLanguage, dataCodeBlockLang, lang } = properties;
  const classes = listClasses(properties.className);
  const named = classes.flatMap(
    (name) => /^(?:language-|lang-|highlight-source-|highlight-text-|brush(?::-?|-))(.+)$/.exec(name)?.[1] ?? [],
  );
  const brush = classes.indexOf('brush:');
  const candidates = [
    dataLang,
    dataLanguage,
    dataCodeBlockLang,
    ...named,
    brush === -1 ? undefined : classes[brush + 1],
    lang,
  ];
  const name = candidates.find((value) => typeof value === 'string' && value !== '');
  const text = typeof name === 'string' ? name.toLowerCase().replace(/;.*$/, '') : '';
  return /^[\w+#.-]{1,30}$/.test(text) && !NONE.has(text) ? text : null;
}

function listClasses(className: Element['properties'][string]): string[] {
  return Array.isArray(className) ? className.map(String) : [];
}
