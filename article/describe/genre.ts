/** Chooses an article's schema.org types, audience and tone by its structure, labels and words. */
import type { RenderedFacts } from '../render/read-rendered.ts';
import type { ArticleDraft, FaqEntry } from '../types.ts';
import { foldTopic } from './keywords/choose-keywords.ts';
import type { Section } from './outline.ts';

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

export const AUDIENCES = [
  'beginners',
  'engineering leaders',
  'experienced developers',
  'developers',
  'general readers',
] as const;
export type Audience = (typeof AUDIENCES)[number];

/** Words that address beginners, whatever the subject. */
const BEGINNERS =
  /\b(?:(?:absolute |complete )?beginners?|newbies?|newcomers?|getting started|get started|first steps|my first|your first|101|the basics|basics of|fundamentals|introduction to|an introduction|intro to|crash course|explained simply|for dummies|eli5|anfänger|einsteiger|einführung|grundlagen|erste schritte|débutants?|premiers pas|principiantes?|primeros pasos|introducción|iniciantes?|primeiros passos|introdução|principianti|начинающ\p{L}*|введение)\b|入门|入門|初学者|初心者|新手|零基础|基础教程|はじめて(?:の|みる)|超入門|입문|초보|للمبتدئين|مبتدئ|مقدمة/iu;
/** About people. "State management", "package managers", "startup time" are about code. */
const LEADERS =
  /\b(?:leadership|tech(?:nical)? leads?|team leads?|engineering (?:managers?|management|leaders?|culture|teams?|organi[sz]ations?)|people (?:management|managers?)|(?:team|product|project|stakeholder|performance|middle) management|managing (?:people|teams?|engineers?|developers?|up)|(?:new|first-time|good|bad|your) managers?|hiring|recruit(?:ing|ment)|interviewing (?:engineers|developers|candidates)|cto|ctos|vp of engineering|head of engineering|career ladders?|performance reviews?|(?:one-on-ones?|1[:-]1s|1 on 1s)|company culture|team culture|team building|headcount|layoffs?|founders?|führung\p{L}*|teamleitung|personalführung|liderazgo|liderança|management d[’']équipe)\b|团队管理|技术管理|管理者|マネジメント|リーダーシップ|エンジニアリングマネージャー|القيادة|إدارة الفرق/iu;
const EXPERIENCED =
  /\b(?:advanced|internals|deep[ -]dives?|diving deep|under the hood|in[ -]depth|inner workings|from first principles|for experts?|expert-level|fortgeschrittene?|tiefer einstieg|avancé|avanzado|avançado|продвинут\p{L}*)\b|深入|源码|原理|进阶|進階|高级|詳解|徹底解説|内部実装|仕組み|심화|متقدم|في العمق/iu;
/** Topics of software development. One tag or two keywords imply developers, even without code. */
const TECHNICAL_TOPICS = new Set(
  'javascript typescript node nodejs python rust golang go java kotlin swift php ruby rails c# c++ dotnet elixir haskell scala html css react vue angular svelte nextjs webdev frontend backend fullstack web api apis rest graphql sql postgres postgresql mysql sqlite mongodb redis database databases docker kubernetes devops cloud aws azure gcp linux bash git github gitlab cicd testing debugging programming coding code software development developers developer compiler framework library libraries opensource server serverless microservices architecture algorithms algorithm wasm webassembly npm package packages crate crates cargo repository deployment terraform markdown jekyll hugo astro docusaurus machinelearning ai llm 编程 代码 数据库 前端 后端 框架 算法 プログラミング コード データベース フロントエンド バックエンド フレームワーク البرمجة برمجة programmierung datenbank softwareentwicklung'.split(
    ' ',
  ),
);

export function chooseAudience(input: GenreInput): Audience {
  const { title, subtitle, tags, category } = input.draft;
  const labels = [title, subtitle ?? '', ...tags.map(splitTag), splitTag(category ?? '')].join('\n');
  if (LEADERS.test(labels)) return 'engineering leaders';
  if (BEGINNERS.test(labels)) return 'beginners';
  if (EXPERIENCED.test(labels)) return 'experienced developers';
  return isTechnical(input) || input.facts.inlineCode.length > 0 || hasTechnicalTopic(input)
    ? 'developers'
    : 'general readers';
}

/** Writes `getting-started` and `gettingStarted` as "getting started". */
function splitTag(tag: string): string {
  return tag.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[-_]+/g, ' ');
}

function hasTechnicalTopic({ draft: { tags, category }, keywords }: GenreInput): boolean {
  const isTechnicalTopic = (word: string): boolean => TECHNICAL_TOPICS.has(foldTopic(word));
  return [...tags, category ?? ''].some(isTechnicalTopic) || keywords.filter(isTechnicalTopic).length >= 2;
}

export const TONES = [
  'instructional',
  'announcement',
  'reference',
  'opinion',
  'conversational',
  'explanatory',
] as const;
export type Tone = (typeof TONES)[number];

/** In UTF-16 units. The tone shows in the first paragraphs. */
const MAX_TEXT = 20_000;
const ANNOUNCEMENT =
  /\b(?:announc\w+|introducing|(?:pre-?)?released|(?:pre-)release|release (?:notes|candidate)|release of|(?:beta|first|stable|new|major|minor|security) release|releasing|launched|launching (?:our|the|my|today)|(?:we|i)[’']?(?:ve| have)? (?:just )?launched|now (?:available|open source|in beta|generally available)|is (?:out|here|live)|what[’']s new|changes in|joins|welcomes?|end of life|ankündigung|veröffentlicht|ist da|vorgestellt|disponible|lancement|anuncia\w+|lançamento)\b|发布|發布|上线|正式版|リリース|公開しました|発表|출시|إطلاق|إصدار|صدور/iu;
/** Only a name and a version: "Rust 1.83.0". */
const VERSION = /^(?:[\p{L}.+#-]+ ){1,3}v?\d+\.\d+(?:\.\d+)?(?:[ -]?(?:alpha|beta|rc)[\s.-]?\d*)?!?$/iu;
const REFERENCE =
  /\b(?:(?:api|language|command|cli|quick|configuration|syntax) reference|reference (?:guide|manual|documentation)|^reference|cheat ?-?sheet|glossary|(?:the|language|format|protocol) specification|changelog|spickzettel|nachschlagewerk|glossaire|glosario|referenz)\b|速查|手册|手冊|词汇表|早見表|チートシート|リファレンス|用語集|مرجع/iu;
const OPINION =
  /\b(?:i (?:think|believe|feel|prefer|love|hate|disagree|agree|wish|doubt|suspect|don[’']t (?:like|think|believe))|in my (?:humble )?(?:opinion|view|experience)|imh?o|unpopular opinion|hot take|personally|meiner meinung nach|ich (?:finde|glaube|denke)|je (?:pense|crois|trouve)|à mon avis|en mi opinión|creo que|na minha opinião|acho que)\b|我认为|我觉得|在我看来|と思います|と考えています|個人的に|في رأيي|أعتقد/giu;
/** First person. "You" (`ADDRESSED`) counts half, because documentation uses it too. */
const PERSONAL = /\b(?:i|i[’']m|i[’']ve|i[’']d|i[’']ll|my|me|mine|let[’']s|we[’']ll)\b/giu;
const ADDRESSED = /\b(?:you|your|you[’']re|you[’']ll|you[’']ve)\b/giu;
const EXCLAIMED = /!(?=\s|$)/g;

export function chooseTone(input: GenreInput): Tone {
  const { title } = input.draft;
  if (isHowTo(input)) return 'instructional';
  if (ANNOUNCEMENT.test(title) || VERSION.test(title)) return 'announcement';
  if (REFERENCE.test(title) || isTabular(input)) return 'reference';
  const prose = input.prose.slice(0, MAX_TEXT);
  const words = Math.max(1, Math.round((input.wordCount * prose.length) / Math.max(1, input.prose.length)));
  const opinions = countMatches(prose, OPINION);
  if (opinions >= 2 && opinions / words > 0.002) return 'opinion';
  const personal =
    countMatches(prose, PERSONAL) + 0.5 * countMatches(prose, ADDRESSED) + 2 * countMatches(prose, EXCLAIMED);
  return personal / words > 0.035 ? 'conversational' : 'explanatory';
}

function isTabular({ sections }: GenreInput): boolean {
  const blocks = sections.flatMap((section) => section.blocks);
  return blocks.length >= 4 && blocks.filter((block) => block.kind === 'table').length / blocks.length > 0.4;
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
