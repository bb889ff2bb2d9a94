/** Computes what is derived from a draft: first what its author waits for, and then everything that readers and agents are shown. */
import { createHash } from 'node:crypto';
import type { Root as HtmlRoot } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { describeText } from './describe/describe-text.ts';
import { chooseExcerpt } from './describe/excerpt.ts';
import { buildOutline } from './describe/outline.ts';
import { isStackOverflow, TooComplexError } from './errors.ts';
import { getTree } from './markdown/parsed-trees.ts';
import { highlightCode } from './render/highlight.ts';
import { linkLiquidEmbeds } from './render/link-liquid.ts';
import { extractPlainText, type RenderedFacts, readRendered } from './render/read-rendered.ts';
import { renderMath } from './render/render-math.ts';
import { renderTree, sanitise } from './render/render-tree.ts';
import type { ArticleDraft, DerivedArticle, RenderedArticle } from './types.ts';

export interface DeriveOptions {
  /** Origin of the site (`https://courant.example`): links to it are not outbound. */
  siteOrigin: string;
  /** False leaves code plain, for measurements and for articles whose page nobody sees. */
  highlight?: boolean;
}

/**
 * What the answer to a publish needs, and a page that is safe, its code plain. Throws `TooComplexError` for a document that is nested too
 * deeply. Has no time limit of its own: in the API the document pool has one.
 */
export function renderArticle(draft: ArticleDraft, options: DeriveOptions): RenderedArticle {
  try {
    const siteOrigin = readOrigin(options);
    const { safe, rendered } = render(buildTree(draft, siteOrigin), siteOrigin);
    return { ...rendered, excerpt: chooseExcerpt(draft, buildOutline(safe), rendered.plainText) };
  } catch (error) {
    throw explainDepth(error);
  }
}

/** Everything. The same draft always gives the same article, byte for byte. Limits are those of `renderArticle`. */
export async function deriveArticle(draft: ArticleDraft, options: DeriveOptions): Promise<DerivedArticle> {
  try {
    const siteOrigin = readOrigin(options);
    const tree = buildTree(draft, siteOrigin);
    if (options.highlight !== false) await highlightCode(tree);
    const { safe, rendered, facts } = render(tree, siteOrigin);
    return { ...rendered, ...(await describeText({ draft, tree: safe, plainText: rendered.plainText, facts })) };
  } catch (error) {
    throw explainDepth(error);
  }
}

function readOrigin({ siteOrigin }: DeriveOptions): string {
  return URL.canParse(siteOrigin) ? new URL(siteOrigin).origin : siteOrigin;
}

function buildTree(draft: ArticleDraft, siteOrigin: string): HtmlRoot {
  const tree = renderTree(getTree(draft), { siteOrigin, title: draft.title });
  linkLiquidEmbeds(tree);
  return tree;
}

interface Rendering {
  safe: HtmlRoot;
  rendered: Omit<RenderedArticle, 'excerpt'>;
  facts: RenderedFacts;
}

function render(tree: HtmlRoot, siteOrigin: string): Rendering {
  const safe = sanitise(tree);
  const html = toHtml(renderMath(safe));
  const plainText = extractPlainText(safe);
  const facts = readRendered(safe, siteOrigin);
  const { headings, outboundReferences } = facts;
  const contentHash = hashPlainText(plainText);
  return { safe, rendered: { html, plainText, headings, outboundReferences, contentHash }, facts };
}

function explainDepth(error: unknown): unknown {
  return isStackOverflow(error) ? new TooComplexError('The text is nested too deeply to be rendered.') : error;
}

/** Hashes the plain text with `\n` line ends, so that frontmatter, line ends and formatting do not change the hash. */
function hashPlainText(plainText: string): string {
  return `sha256:${createHash('sha256').update(plainText).digest('hex')}`;
}
