/** Chooses the schema.org types of an article by its structure. */
import type { RenderedFacts } from '../../render/read-rendered.ts';
import type { ArticleDraft, FaqEntry } from '../../types.ts';
import type { Section } from '../outline.ts';

export interface GenreInput {
  draft: ArticleDraft;
  sections: Section[];
  facts: RenderedFacts;
  prose: string;
  wordCount: number;
  keywords: string[];
  faqs: FaqEntry[] | null;
}

/** schema.org names, most specific first. Always includes BlogPosting. */
export function chooseTypes(input: GenreInput): string[] {
  const types: string[] = [];
  if (isHowTo(input)) types.push('HowTo');
  if (isTechnical(input)) types.push('TechArticle');
  types.push('BlogPosting');
  if (input.faqs !== null) types.push('FAQPage');
  return types;
}

const STEP =
  /^(?:(?:step|schritt|étape|etape|paso|passo|stap|шаг)\s*#?\d+|(?:步骤|步驟|ステップ|手順|단계)\s*[\d一二三四五六七八九十]|第[\d一二三四五六七八九十]+步|الخطوة\s)/iu;
const NUMBERED = /^\d{1,2}[.)]\s/;
/** "7 reasons to …" is a list, whatever its headings are. */
const LIST =
  /^(?:the |my |top )?(?:\d+|five|ten|seven) (?:\p{L}+ ){0,3}?(?:tips|ways|reasons|things|tricks|lessons|tools|mistakes|best|books|ideas|facts|questions)\b/iu;
const HOW_TO_TITLE =
  /^how to\b|[:–—|-]\s*how to\b|\b(?:tutorial|step[ -]by[ -]step|walk-?through|guide to|hands[ -]on|anleitung|schritt für schritt|tutoriel|pas à pas|paso a paso|passo a passo)\b|^(?:cómo|como|comment|wie man|so)\s\p{L}+(?:ir|er|ar|re|t)\b|教程|指南|入门|入門|手把手|チュートリアル|ハンズオン|手順|する方法|튜토리얼|^كيف|كيفية|دليل|خطوة بخطوة/iu;

export function isHowTo({ draft, sections }: GenreInput): boolean {
  if (sections.filter(({ heading }) => STEP.test(heading)).length >= 2) return true;
  if (!HOW_TO_TITLE.test(draft.title) || LIST.test(draft.title)) return false;
  const isNumbered = sections.filter(({ heading }) => NUMBERED.test(heading)).length >= 2;
  const isOrdered = sections.some(({ blocks }) =>
    blocks.some((block) => block.kind === 'orderedList' && block.items.length >= 3),
  );
  return isOrdered || isNumbered || sections.length > 3;
}

export function isTechnical({ facts, wordCount }: GenreInput): boolean {
  return facts.codeBlocks >= 1 || facts.inlineCode.length / Math.max(1, wordCount) > 0.01;
}
