/** Renders a draft and derives its description. A publish response needs only `renderArticle`. */
import { createHash } from 'node:crypto';
import type { Root as HtmlRoot } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { Root } from 'mdast';
import { describeText } from './describe/describe-text.ts';
import { chooseExcerpt } from './describe/excerpt/choose-excerpt.ts';
import { findTeaserEnd } from './describe/excerpt/find-teaser.ts';
import { buildOutline } from './describe/outline.ts';
import { isStackOverflow, TooComplexError } from './errors.ts';
import { getTree } from './markdown/parse-markdown.ts';
import { highlightCode } from './render/code/highlight.ts';
import { labelBoxes } from './render/elements/label-boxes.ts';
import { linkLiquidEmbeds } from './render/link-liquid.ts';
import { extractPlainText, type RenderedFacts, readRendered } from './render/read-rendered.ts';
import { renderMath } from './render/render-math.ts';
import { demoteHeadings, renderTree, sanitise } from './render/render-tree.ts';
import type { ArticleDraft, DerivedArticle, RenderedArticle } from './types.ts';

export interface DeriveOptions {
  /** Origin of the site (`https://courant.example`): links to it are not outbound. */
  siteOrigin: string;
  /** False leaves code plain, for measurements and for articles without a page. */
  highlight?: boolean;
}

/**
 * Renders what a publish response needs. Throws `TooComplexError` for a document that is nested too
 * deeply. Has no time limit.
 */
export function renderArticle(draft: ArticleDraft, options: DeriveOptions): RenderedArticle {
  try {
    return renderWithExcerpt(begin(draft, options));
  } catch (error) {
    throw explainDepth(error);
  }
}

/** Like `renderArticle`, with highlighted code. */
export async function previewArticle(draft: ArticleDraft, options: DeriveOptions): Promise<RenderedArticle> {
  try {
    const begun = begin(draft, options);
    if (options.highlight !== false) await highlightCode(begun.tree);
    return renderWithExcerpt(begun);
  } catch (error) {
    throw explainDepth(error);
  }
}

/** Renders and describes. Deterministic, byte for byte. Errors are those of `renderArticle`. */
export async function deriveArticle(draft: ArticleDraft, options: DeriveOptions): Promise<DerivedArticle> {
  try {
    const begun = begin(draft, options);
    if (options.highlight !== false) await highlightCode(begun.tree);
    const { safe, rendered, facts } = render(begun);
    // Loaded on demand: it takes 29 MB, which threads that only read and render do not need.
    const { detectLanguage } = await import('./language/detect-language.ts');
    const language = draft.language ?? detectLanguage(safe, draft.title);
    const { plainText } = rendered;
    const { markdown } = begun;
    return { ...rendered, language, ...describeText({ draft, markdown, tree: safe, plainText, language, facts }) };
  } catch (error) {
    throw explainDepth(error);
  }
}

interface Begun {
  draft: ArticleDraft;
  markdown: Root;
  tree: HtmlRoot;
  siteOrigin: string;
}

function begin(draft: ArticleDraft, options: DeriveOptions): Begun {
  const siteOrigin = URL.parse(options.siteOrigin)?.origin ?? options.siteOrigin;
  const markdown = getTree(draft);
  const tree = renderTree(markdown, { siteOrigin, title: draft.title });
  demoteHeadings(tree);
  linkLiquidEmbeds(tree);
  return { draft, markdown, tree, siteOrigin };
}

function renderWithExcerpt(begun: Begun): RenderedArticle {
  const { safe, rendered } = render(begun);
  const { draft, markdown } = begun;
  const { plainText } = rendered;
  const teaserEnd = findTeaserEnd(markdown);
  return { ...rendered, excerpt: chooseExcerpt({ draft, sections: buildOutline(safe), teaserEnd, plainText }) };
}

interface Rendering {
  safe: HtmlRoot;
  rendered: Omit<RenderedArticle, 'excerpt'>;
  facts: RenderedFacts;
}

function render({ draft: { language }, tree, siteOrigin }: Begun): Rendering {
  const safe = sanitise(tree);
  const html = toHtml(labelBoxes(renderMath(safe)));
  const plainText = extractPlainText(safe);
  const facts = readRendered(safe, siteOrigin);
  const { headings, outboundReferences } = facts;
  // Over the plain text, so that frontmatter, line ends and formatting do not change it.
  const contentHash = `sha256:${createHash('sha256').update(plainText).digest('hex')}`;
  return { safe, rendered: { html, plainText, language, headings, outboundReferences, contentHash }, facts };
}

function explainDepth(error: unknown): unknown {
  return isStackOverflow(error) ? new TooComplexError('The text is nested too deeply to be rendered.') : error;
}
