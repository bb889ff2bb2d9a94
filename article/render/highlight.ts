/**
 * Highlights code with classes (`tok-keyword`), so that the page decides the colours and its content security policy
 * needs no inline styles. Grammars are loaded on first use. Code that is too long or in an unknown language stays plain.
 */
import type { Element, ElementContent, Root as HtmlRoot, Nodes } from 'hast';
import type { HighlighterCore } from 'shiki/core';
import { walkTree } from '../walk-tree.ts';
import { findLanguage, loadGrammar } from './code-languages.ts';
import { getElementText } from './element-text.ts';

/** Highlighting costs about 3 µs a character, and the first use of a grammar up to 150 ms: these limits keep it below half a second. */
const MAX_BLOCK = 30_000;
const MAX_ARTICLE = 80_000;
const MAX_LINE = 1_000;
const THEME = 'courant';
const VARIABLE = /^var\(--token-([a-z-]+)\)$/;

/** Replaces the text of every code block with spans. Changes the tree, which is sanitised afterwards. */
export async function highlightCode(tree: HtmlRoot): Promise<void> {
  const blocks = findBlocks(tree);
  let budget = MAX_ARTICLE;
  for (const { code, language } of blocks) {
    const text = getElementText(code);
    budget -= text.length;
    if (text.length > MAX_BLOCK || budget < 0) continue;
    const highlighter = await loadLanguage(language);
    if (highlighter !== null) code.children = tokenise(highlighter, text, language);
  }
}

function findBlocks(tree: HtmlRoot): { code: Element; language: string }[] {
  const blocks: { code: Element; language: string }[] = [];
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'element' || node.tagName !== 'pre') return undefined;
    const code = node.children.find((child) => child.type === 'element' && child.tagName === 'code');
    if (code?.type !== 'element' || !Array.isArray(code.properties.className)) return 'skip';
    const name = code.properties.className.map(String).find((entry) => entry.startsWith('language-'));
    const language = name === undefined ? null : findLanguage(name.slice('language-'.length));
    if (language !== null) blocks.push({ code, language });
    return 'skip';
  });
  return blocks;
}

let highlighter: Promise<HighlighterCore> | undefined;

async function loadLanguage(language: string): Promise<HighlighterCore | null> {
  highlighter ??= createHighlighter();
  const ready = await highlighter;
  if (ready.getLoadedLanguages().includes(language)) return ready;
  const grammar = await loadGrammar(language);
  if (grammar === null) return null;
  await ready.loadLanguage(grammar);
  return ready;
}

async function createHighlighter(): Promise<HighlighterCore> {
  const [{ createCssVariablesTheme, createHighlighterCore }, { createJavaScriptRegexEngine }] = await Promise.all([
    import('shiki/core'),
    import('shiki/engine/javascript'),
  ]);
  const theme = createCssVariablesTheme({ name: THEME, variablePrefix: '--', fontStyle: false });
  return createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

function tokenise(highlighter: HighlighterCore, text: string, language: string): ElementContent[] {
  // No limit of time for a line: what a busy machine does not finish would be shown otherwise than elsewhere. The whole document has one.
  const limits = { tokenizeMaxLineLength: MAX_LINE, tokenizeTimeLimit: 0 };
  const lines = highlighter.codeToTokensBase(text, { lang: language, theme: THEME, ...limits });
  const content: ElementContent[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') content.push({ type: 'text', value: plain });
    plain = '';
  };
  lines.forEach((line, index) => {
    if (index > 0) plain += '\n';
    for (const token of line) {
      const kind = VARIABLE.exec(token.color ?? '')?.[1];
      if (kind === undefined || token.content.trim() === '') {
        plain += token.content;
        continue;
      }
      flush();
      const children: ElementContent[] = [{ type: 'text', value: token.content }];
      content.push({ type: 'element', tagName: 'span', properties: { className: [`tok-${kind}`] }, children });
    }
  });
  flush();
  return content;
}
