/** The excerpt of an article: its author's, else its first paragraph. */
import type { ArticleDraft } from '../types.ts';
import { cutAtWord } from './cut-text.ts';
import type { Section } from './outline.ts';

const EXCERPT_LENGTH = 200;

export function chooseExcerpt(draft: ArticleDraft, sections: Section[], plainText: string): string {
  if (draft.excerpt !== null) return draft.excerpt;
  const text = findFirstParagraph(sections) || draft.subtitle || plainText.replace(/\s+/g, ' ');
  return cutAtWord(text, EXCERPT_LENGTH);
}

export function findFirstParagraph(sections: Section[]): string {
  for (const { blocks } of sections) {
    const first = blocks.find((block) => block.kind === 'paragraph' && !block.isBold);
    if (first !== undefined) return first.text;
  }
  return sections.flatMap(({ blocks }) => blocks).find((block) => block.kind !== 'code')?.text ?? '';
}
