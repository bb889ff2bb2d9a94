/** Chooses type, audience and tone of an article from fixed lists, by what can be seen in its text. */
import type { RenderedFacts } from '../render/read-rendered.ts';
import type { ArticleDraft, FaqEntry } from '../types.ts';
import type { Section } from './outline.ts';

export const AUDIENCES = [
  'beginners',
  'engineering leaders',
  'experienced developers',
  'developers',
  'general readers',
] as const;
export type Audience = (typeof AUDIENCES)[number];

export const TONES = [
  'instructional',
  'announcement',
  'reference',
  'opinion',
  'conversational',
  'explanatory',
] as const;
export type Tone = (typeof TONES)[number];

export interface GenreInput {
  draft: ArticleDraft;
  sections: Section[];
  facts: RenderedFacts;
  prose: string;
  wordCount: number;
  faqs: FaqEntry[] | null;
}

/** schema.org names, the most specific first. Every article is a BlogPosting. */
export function chooseTypes(input: GenreInput): string[] {
  const types: string[] = [];
  if (isHowTo(input)) types.push('HowTo');
  if (isTechnical(input)) types.push('TechArticle');
  types.push('BlogPosting');
  if (input.faqs !== null) types.push('FAQPage');
  return types;
}

export function chooseAudience(input: GenreInput): Audience {
  const labels = [input.draft.title, input.draft.subtitle ?? '', ...input.draft.tags, input.draft.category ?? '']
    .join(' ')
    .toLowerCase();
  if (
    /\b(?:beginners?|newbies?|newcomers?|getting started|101|first steps|basics|from scratch|introduction|intro to|introducing)\b/.test(
      labels,
    )
  ) {
    return isTechnical(input) || !/\bintroducing\b/.test(labels) ? 'beginners' : 'general readers';
  }
  if (/\b(?:leadership|management|managers?|hiring|career|cto|culture|strategy|startups?)\b/.test(labels))
    return 'engineering leaders';
  if (
    /\b(?:advanced|internals?|deep dive|under the hood|in depth|in-depth|compiler|optimi[sz](?:ing|ation)s?)\b/.test(
      labels,
    )
  ) {
    return 'experienced developers';
  }
  return isTechnical(input) || input.facts.inlineCode.length > 0 ? 'developers' : 'general readers';
}

export function chooseTone(input: GenreInput): Tone {
  const title = input.draft.title.toLowerCase();
  if (isHowTo(input)) return 'instructional';
  if (/\b(?:announc\w*|releas\w*|introducing|launch\w*|now available|is out|v?\d+\.\d+(?:\.\d+)?)\b/.test(title))
    return 'announcement';
  if (/\b(?:reference|cheat ?sheet|glossary|specification|api|changelog)\b/.test(title) || isTabular(input))
    return 'reference';
  const words = Math.max(1, input.wordCount);
  const opinions = countMatches(
    input.prose,
    /\b(?:i (?:think|believe|feel|prefer|love|hate)|in my (?:opinion|view|experience)|imho)\b/gi,
  );
  if (opinions >= 2 && opinions / words > 0.002) return 'opinion';
  const personal =
    countMatches(input.prose, /\b(?:i|i'm|i’m|i've|i’ve|my|me|you|your|let's|let’s)\b/gi) +
    2 * countMatches(input.prose, /!(?=\s|$)/g);
  return personal / words > 0.04 ? 'conversational' : 'explanatory';
}

function isHowTo({ draft, sections }: GenreInput): boolean {
  const steps = sections.filter(({ heading }) => /^(?:step\s+\d+|\d+[.)]\s)/i.test(heading)).length;
  if (steps >= 2) return true;
  const promises = /^how (?:to|i|we)\b|\b(?:tutorial|step[ -]by[ -]step|walkthrough|guide to)\b/i.test(draft.title);
  const ordered = sections.some(({ blocks }) =>
    blocks.some((block) => block.kind === 'orderedList' && block.items.length >= 3),
  );
  return promises && (ordered || sections.length > 3);
}

function isTechnical({ facts, wordCount }: GenreInput): boolean {
  return facts.codeBlocks >= 1 || facts.inlineCode.length / Math.max(1, wordCount) > 0.01;
}

function isTabular({ sections }: GenreInput): boolean {
  const blocks = sections.flatMap((section) => section.blocks);
  return blocks.length >= 4 && blocks.filter((block) => block.kind === 'table').length / blocks.length > 0.4;
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
