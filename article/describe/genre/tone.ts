/** Chooses an article's tone from a fixed list, by its title and how it addresses its reader. */
import { type GenreInput, isHowTo } from './types.ts';

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
