/** Finds questions with answers: in a section with a FAQ heading, or on a page that is a FAQ. */
import type { ArticleDraft, FaqEntry } from '../types.ts';
import { cutAtSentence } from './cut-text.ts';
import { type Block, joinBlocks, type Section } from './outline.ts';

const NAMES =
  'faqs?|frequently asked questions?|common(?:ly asked)? questions|questions (?:and|&) answers|questions,? answered|q\\s*(?:&|and|n)\\s*a|häufige fragen|häufig gestellte fragen|fragen (?:und|&) antworten|preguntas frecuentes|questions fréquentes|foire aux questions|perguntas frequentes|domande frequenti|veelgestelde vragen|часто задаваемые вопросы|вопросы и ответы';
const FAQ = new RegExp(`^[^\\p{L}]*(?:${NAMES})(?![\\p{L}])|(?<![\\p{L}])(?:${NAMES})[^\\p{L}]*$`, 'iu');
/** Scripts without word boundaries. */
const FAQ_ELSEWHERE =
  /よくある(?:ご?質問|問い合わせ)|常[见見](?:问题|問題|疑问)|자주 (?:묻는|하는) 질문|(?:الأسئلة|أسئلة) (?:الشائعة|شائعة|المتكررة)/u;
const QUESTION = /[?？؟]["'”’)*\s]*$/u;
const MAX_ANSWER = 2_000;
const MAX_QUESTION = 300;
/** A page is a FAQ too if at least so many of its headings, and `MIN_SHARE`, are questions. */
const MIN_QUESTIONS = 4;
const MIN_SHARE = 0.8;

/** Null if the article has no FAQ, or the FAQ has no question with an answer. */
export function findFaqs(draft: ArticleDraft, sections: Section[]): FaqEntry[] | null {
  const index = sections.findIndex((section) => isFaqName(section.heading));
  const entries = index === -1 ? [] : readSection(sections, index);
  if (entries.length === 0) entries.push(...readPage(draft, sections));
  return entries.length > 0 ? entries : null;
}

/** All questions of a page that is labelled a FAQ or has questions as headings. */
function readPage({ title, tags, category }: ArticleDraft, sections: Section[]): FaqEntry[] {
  const named = sections.filter(({ heading }) => heading !== '');
  const questions = named.filter(({ heading }) => QUESTION.test(heading));
  const isPage = isFaqName(title) || [...tags, category ?? ''].some((name) => /^faqs?$/i.test(name));
  if (!isPage)
    return questions.length >= MIN_QUESTIONS && questions.length >= named.length * MIN_SHARE
      ? readHeadings(questions)
      : [];
  const entries = sections.flatMap((section) =>
    questions.includes(section) ? readHeadings([section]) : readQuestions(section.blocks),
  );
  return entries.length > 0 ? entries : readHeadings(named);
}

function isFaqName(text: string): boolean {
  return text !== '' && (FAQ.test(text) || FAQ_ELSEWHERE.test(text));
}

function readSection(sections: Section[], index: number): FaqEntry[] {
  const [faq, ...after] = sections.slice(index);
  if (faq === undefined) return [];
  const end = after.findIndex((section) => section.level <= faq.level);
  const below = end === -1 ? after : after.slice(0, end);
  // Headings that only group questions contain them as paragraphs, or contain none.
  return [...readQuestions(faq.blocks), ...below.flatMap((section) => readGroup(section))];
}

function readGroup(section: Section): FaqEntry[] {
  const inside = QUESTION.test(section.heading) ? [] : readQuestions(section.blocks);
  return inside.length > 1 ? inside : readHeadings([section]);
}

function readHeadings(sections: Section[]): FaqEntry[] {
  return sections.flatMap(({ heading, blocks }) => {
    const answer = formatAnswer(blocks);
    return heading === '' || answer === '' ? [] : [{ question: formatQuestion(heading), answer }];
  });
}

/** Bold paragraphs and beginnings, and paragraphs that end in a question mark. */
function readQuestions(blocks: Block[]): FaqEntry[] {
  const entries: FaqEntry[] = [];
  let question: string | null = null;
  let below: Block[] = [];
  const close = (): void => {
    const answer = formatAnswer(below);
    if (question !== null && answer !== '') entries.push({ question: formatQuestion(question), answer });
    below = [];
  };
  for (const block of blocks) {
    const parsed = readQuestion(block);
    if (parsed === null) {
      below.push(block);
      continue;
    }
    close();
    question = parsed.question;
    if (parsed.rest !== '') below.push({ ...block, text: parsed.rest, lead: '' });
  }
  close();
  return entries;
}

/** Splits a paragraph into question and an answer on the next line. Null if it is no question. */
function readQuestion({ kind, text, lead }: Block): { question: string; rest: string } | null {
  if (kind !== 'paragraph') return null;
  if (lead === text || QUESTION.test(text)) return { question: text, rest: '' };
  if (QUESTION.test(lead) && text.startsWith(lead)) return { question: lead, rest: text.slice(lead.length).trim() };
  const [, question, rest] = /^(Q\d*\s*[:.：]\s*[^?？]{1,300}[?？])\s*(A\d*\s*[:.：].*)$/isu.exec(text) ?? [];
  return question === undefined || rest === undefined ? null : { question, rest };
}

function formatQuestion(text: string): string {
  return cutAtSentence(text.replace(/^(?:Q\d*\s*[:.：]|\d{1,3}[.)])\s*/i, ''), MAX_QUESTION);
}

function formatAnswer(blocks: Block[]): string {
  return cutAtSentence(joinBlocks(blocks).replace(/^A\d*\s*[:.：]\s*/i, ''), MAX_ANSWER);
}
