/** Chooses an article's audience from a fixed list, by title, subtitle, tags and category. */
import { type GenreInput, isTechnical } from './types.ts';

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
  const isTechnicalTopic = (word: string): boolean => TECHNICAL_TOPICS.has(word.toLowerCase().replace(/[\s._-]/g, ''));
  return [...tags, category ?? ''].some(isTechnicalTopic) || keywords.filter(isTechnicalTopic).length >= 2;
}
