/**
 * Converts TeX to MathML, which browsers show without a script. Runs after the sanitiser, so this
 * is the only math on a page. Unreadable TeX stays code.
 */
import type { Element, ElementContent, Root as HtmlRoot, Nodes } from 'hast';
import { type Schema, sanitize } from 'hast-util-sanitize';
import rehypeParse from 'rehype-parse';
import temml from 'temml';
import { unified } from 'unified';
import { walkTree } from '../walk-tree.ts';
import { getElementText } from './elements/element-text.ts';

const MAX_FORMULA = 2_000;
const MAX_ARTICLE = 40_000;
const OPTIONS = { throwOnError: true, trust: false, maxExpand: 500, maxSize: [20, 20] as [number, number] };

const MATH: Schema = {
  tagNames: [
    ...['math', 'mrow', 'mi', 'mn', 'mo', 'mtext', 'mspace', 'mfrac', 'msqrt', 'mroot', 'msub', 'msup', 'msubsup'],
    ...['munder', 'mover', 'munderover', 'mmultiscripts', 'mprescripts', 'mtable', 'mtr', 'mtd', 'mpadded', 'mphantom'],
    ...['menclose', 'mstyle', 'none'],
  ],
  attributes: {
    '*': [
      ...['display', 'mathvariant', 'stretchy', 'fence', 'lspace', 'rspace', 'separator', 'minsize', 'maxsize'],
      ...['symmetric', 'movablelimits', 'largeop', 'accent', 'accentunder', 'linethickness', 'columnalign', 'width'],
      ...['height', 'depth', 'voffset', 'displaystyle', 'scriptlevel', 'notation', 'columnspacing', 'rowspacing'],
    ],
    mo: [['form', 'prefix', 'infix', 'postfix']],
  },
  strip: ['script', 'style'],
};

const parser = unified().use(rehypeParse, { fragment: true }).freeze();

/** Returns a tree with its math replaced, or the same tree. `tree` must be sanitised. */
export function renderMath(tree: HtmlRoot): HtmlRoot {
  let hasMath = false;
  walkTree<Nodes>(tree, (node) => {
    hasMath ||= isMath(node);
    return undefined;
  });
  if (!hasMath) return tree;
  const budget = { remaining: MAX_ARTICLE };
  return {
    ...tree,
    children: tree.children.map((child) => (child.type === 'element' ? replace(child, budget) : child)),
  };
}

export function isMath(node: Nodes): node is Element {
  if (node.type !== 'element' || node.tagName !== 'code' || !Array.isArray(node.properties.className)) return false;
  return node.properties.className.includes('language-math');
}

function replace(node: Element, budget: { remaining: number }): Element {
  const [only] = node.children;
  const isBlock = node.tagName === 'pre' && only !== undefined && isMath(only);
  const code = isBlock ? only : node;
  if (isMath(code)) {
    const tex = getElementText(code);
    budget.remaining -= tex.length;
    const isShort = tex.length <= MAX_FORMULA && budget.remaining >= 0;
    return (isShort ? buildMath(tex, isBlock) : null) ?? node;
  }
  const children = node.children.map(
    (child): ElementContent => (child.type === 'element' ? replace(child, budget) : child),
  );
  return { ...node, children };
}

function buildMath(tex: string, displayMode: boolean): Element | null {
  let html: string;
  try {
    html = temml.renderToString(tex, { ...OPTIONS, displayMode });
  } catch {
    // Unreadable or too deeply nested TeX is shown as its author wrote it.
    return null;
  }
  const safe = sanitize(parser.parse(html), MATH);
  const math = safe.type === 'root' ? safe.children[0] : safe;
  return math?.type === 'element' && math.tagName === 'math' ? math : null;
}
