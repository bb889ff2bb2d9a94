/**
 * Highlights code with classes (`tok-keyword`), so that pages decide the colours without inline
 * styles. Long code and unknown languages stay plain.
 */
import type { Element, ElementContent, Root as HtmlRoot, Nodes } from 'hast';
import type { HighlighterCore, RegexEngine } from 'shiki/core';
import { walkTree } from '../../walk-tree.ts';
import { getElementText } from '../elements/element-text.ts';
import { findCodeLanguage, loadGrammars } from './code-languages.ts';

/**
 * In characters: a time limit would give other results on a busy machine. One costs about 3 µs, the
 * first use of a grammar up to 150 ms.
 */
const MAX_BLOCK = 30_000;
const MAX_ARTICLE = 80_000;
const MAX_LINE = 1_000;
const WEIGHTS: Record<string, number> = { cpp: 4 };
/** Each open bracket raises the cost of every character after it. */
const MAX_OPEN_BRACKETS = 200;
const THEME = 'courant';
const VARIABLE = /^var\(--token-([a-z-]+)\)$/;

/** Replaces the text of code blocks with spans. The tree must be sanitised afterwards. */
export async function highlightCode(tree: HtmlRoot): Promise<void> {
  let budget = MAX_ARTICLE;
  for (const { code, language } of findBlocks(tree)) {
    const text = getElementText(code);
    const cost = text.length * (WEIGHTS[language] ?? 1);
    budget -= cost;
    if (cost > MAX_BLOCK || budget < 0 || isDeeplyNested(text)) continue;
    code.children = tokenise(await getHighlighter(language), text, language);
  }
}

function isDeeplyNested(text: string): boolean {
  let open = 0;
  for (const [bracket] of text.matchAll(/[([{)\]}]/g)) {
    open = '([{'.includes(bracket) ? open + 1 : Math.max(0, open - 1);
    if (open > MAX_OPEN_BRACKETS) return true;
  }
  return false;
}

function findBlocks(tree: HtmlRoot): { code: Element; language: string }[] {
  const blocks: { code: Element; language: string }[] = [];
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'element' || node.tagName !== 'pre') return undefined;
    const code = node.children.find((child) => child.type === 'element' && child.tagName === 'code');
    if (code?.type !== 'element' || !Array.isArray(code.properties.className)) return 'skip';
    const name = code.properties.className.map(String).find((entry) => entry.startsWith('language-'));
    const language = name === undefined ? null : findCodeLanguage(name.slice('language-'.length));
    if (language !== null) blocks.push({ code, language });
    return 'skip';
  });
  return blocks;
}

/**
 * One per language, because grammars change each other: colours would depend on the articles
 * rendered before.
 */
const highlighters = new Map<string, Promise<HighlighterCore>>();

function getHighlighter(language: string): Promise<HighlighterCore> {
  const known = highlighters.get(language);
  if (known !== undefined) return known;
  const created = createHighlighter(language);
  highlighters.set(language, created);
  return created;
}

let engine: Promise<RegexEngine> | undefined;

async function createHighlighter(language: string): Promise<HighlighterCore> {
  engine ??= createEngine();
  const [core, shared, langs] = await Promise.all([import('shiki/core'), engine, loadGrammars(language)]);
  const theme = core.createCssVariablesTheme({ name: THEME, variablePrefix: '--', fontStyle: false });
  return core.createHighlighterCore({ themes: [theme], langs, engine: shared, warnings: false });
}

/**
 * Grammars are written for Oniguruma. It limits the steps of a match. Its first use of C++ takes a
 * quarter of the time of expressions translated to JavaScript.
 */
async function createEngine(): Promise<RegexEngine> {
  const { createOnigurumaEngine } = await import('shiki/engine/oniguruma');
  return createOnigurumaEngine(import('shiki/wasm'));
}

function tokenise(highlighter: HighlighterCore, text: string, language: string): ElementContent[] {
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
