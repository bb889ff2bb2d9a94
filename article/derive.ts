/** Computes everything that is derived from a draft, once, at publish: page, plain text, hash, description. */
import { createHash } from 'node:crypto';
import { toHtml } from 'hast-util-to-html';
import { describeText } from './describe/describe-text.ts';
import { isStackOverflow, TooComplexError } from './errors.ts';
import { detectLanguage } from './language/detect-language.ts';
import { getTree } from './markdown/parsed-trees.ts';
import { demoteHeadings } from './render/demote-headings.ts';
import { highlightCode } from './render/highlight.ts';
import { linkLiquidEmbeds } from './render/link-liquid.ts';
import { extractPlainText, readRendered } from './render/read-rendered.ts';
import { renderMath } from './render/render-math.ts';
import { renderTree, sanitise } from './render/render-tree.ts';
import type { ArticleDraft, DerivedArticle } from './types.ts';

export interface DeriveOptions {
  /** Origin of the site (`https://courant.example`): links to it are not outbound. */
  siteOrigin: string;
  /** False leaves code plain, for measurements and for articles whose page nobody sees. */
  highlight?: boolean;
}

/**
 * The same draft always gives the same article, byte for byte. Throws `TooComplexError` for a document that is nested
 * too deeply. Has no time limit of its own: in the API the document pool has one.
 */
export async function deriveArticle(draft: ArticleDraft, options: DeriveOptions): Promise<DerivedArticle> {
  const siteOrigin = URL.canParse(options.siteOrigin) ? new URL(options.siteOrigin).origin : options.siteOrigin;
  try {
    const markdown = getTree(draft);
    const rendered = renderTree(markdown, { siteOrigin, title: draft.title });
    demoteHeadings(rendered);
    linkLiquidEmbeds(rendered);
    if (options.highlight !== false) await highlightCode(rendered);
    const safe = sanitise(rendered);
    const html = toHtml(renderMath(safe));
    const plainText = extractPlainText(safe);
    const facts = readRendered(safe, siteOrigin);
    return {
      html,
      plainText,
      language: draft.language ?? detectLanguage(safe, draft.title),
      headings: facts.headings,
      outboundReferences: facts.outboundReferences,
      contentHash: hashPlainText(plainText),
      ...describeText({ draft, markdown, tree: safe, plainText, facts }),
    };
  } catch (error) {
    if (isStackOverflow(error)) throw new TooComplexError('The text is nested too deeply to be rendered.');
    throw error;
  }
}

/** Hashes the plain text with `\n` line ends, so that frontmatter, line ends and formatting do not change the hash. */
function hashPlainText(plainText: string): string {
  return `sha256:${createHash('sha256').update(plainText).digest('hex')}`;
}
