/**
 * Lists Forem's Liquid tags that an article may use, with the values that Forem accepts. For an
 * unknown name or a malformed value, Forem refuses the whole article or shows an error. So every
 * other tag is text.
 */
import type { Span } from '../../format/markdown/block-types.ts';
import type { LiquidTag } from '../../format/markdown/marks.ts';

const ADDRESS = String.raw`https?:\/\/[^\s"'<>\\^${'`'}]+`;
const WORD = String.raw`[\w-]`;

const VALUES: readonly [names: string, value: string][] = [
  ['embed', `${ADDRESS}(?:\\s+[\\w=,.&/-]+)*`],
  ['link', `${ADDRESS}|${WORD}+/${WORD}+/?`],
  ['github', String.raw`(?:https:\/\/github\.com\/)?[\w.-]+\/[\w.-]+\/?(?:\s+no-?readme)?`],
  ['github', String.raw`https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+(?:#issuecomment-\d+)?`],
  [
    'gist',
    String.raw`https:\/\/gist\.github\.com\/[a-z\d-]{1,39}\/[a-z\d]{1,32}(?:\/[a-z\d]+)?(?:\.js)?(?:\s+file=\S+)?`,
  ],
  [
    'youtube',
    String.raw`(?:https?:\/\/(?:www\.)?(?:youtube\.com\/(?:embed\/|watch\?v=)|youtu\.be\/))?[\w-]{11}(?:[?&](?:t|start)=[\dhms]{1,11})?`,
  ],
  ['vimeo', String.raw`(?:https?:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?)?\d{5,15}`],
  ['twitter tweet', String.raw`\d{10,20}`],
  [
    'codepen',
    String.raw`https?:\/\/codepen\.io\/(?:team\/)?[\w-]{1,30}\/(?:pen|embed)(?:\/preview)?\/[a-z\d]{5,32}\/?(?:\s+(?:default-tab=[\w,]+|theme-id=\d{1,7}|editable=true|height=\d{3,4}))*`,
  ],
  ['codesandbox', String.raw`[a-z\d-]{3,60}(?:\s+(?:initialpath|module)=[\w./@%-]+)*`],
  [
    'stackblitz',
    String.raw`[\w-]{3,60}(?:\s+(?:view=(?:preview|editor|both)|file=\S+|embed=1|hideExplorer=1|hideNavigation=1|theme=(?:default|light|dark)|ctl=1))*`,
  ],
  [
    'jsfiddle',
    String.raw`https?:\/\/jsfiddle\.net\/[a-z\d/-]+(?:\s+(?:js|html|css|result)(?:,(?:js|html|css|result))*)?`,
  ],
  ['replit', String.raw`@[\w-]+\/[\w-]+`],
  ['asciinema', String.raw`\d+`],
  ['twitch', String.raw`[a-z\d-]{5,100}`],
  ['speakerdeck', String.raw`[a-f\d]{20,40}`],
  ['spotify', String.raw`spotify:(?:track|user|artist|album|playlist|episode|show):(?:\w+:)*\w{22}`],
  ['soundcloud', String.raw`https?:\/\/soundcloud\.com\/\S+`],
  ['reddit', String.raw`https?:\/\/www\.reddit\.com\/r\/\S+`],
  ['wikipedia', String.raw`https?:\/\/[a-z-]+\.wikipedia\.org\/wiki\/\S+`],
  ['user organization', String.raw`\w{2,30}`],
  ['tag', String.raw`[a-z\d]{1,30}`],
];
/** Tags around content. The content is formatted like any other. */
const BLOCKS: readonly [names: string, value: string][] = [
  ['details collapsible spoiler', '[^{}]{1,300}'],
  ['cta', ADDRESS],
  ['card', ''],
];

/** No article nests deeper. Each closing tag may be compared with every open one. */
const MAX_OPEN_TAGS = 50;

const SINGLE = compile(VALUES);
const OPENING = compile(BLOCKS);

/** In no order. Both tags of a pair are known, or neither. */
export function selectKnownTags(tags: readonly LiquidTag[]): Span[] {
  const known: LiquidTag[] = [];
  const open: { tag: LiquidTag; name: string }[] = [];
  for (const tag of tags) {
    if (matchesAny(SINGLE, tag)) known.push(tag);
    else if (open.length < MAX_OPEN_TAGS && matchesAny(OPENING, tag)) open.push({ tag, name: tag.name });
    else if (tag.name.startsWith('end') && tag.value === '') {
      const at = open.findLastIndex(({ name }) => name === tag.name.slice(3));
      const opening = open[at];
      if (opening === undefined) continue;
      known.push(opening.tag, tag);
      // Tags that were opened after it and not closed are text.
      open.length = at;
    }
  }
  return known;
}

/** A formula that its author wrote for Forem. With Liquid inside, it is text. */
const KATEX =
  /\{%-?[ \t]{0,9}katex(?:[ \t]{1,9}inline)?[ \t]{0,9}-?%\}(?:(?!\{[{%])[\s\S]){1,5000}\{%-?[ \t]{0,9}endkatex[ \t]{0,9}-?%\}/g;

export function findKatex(source: string): Span[] {
  if (!source.includes('katex')) return [];
  return [...source.matchAll(KATEX)].map(({ 0: text, index }) => ({ start: index, end: index + text.length }));
}

function compile(table: typeof VALUES): Map<string, RegExp[]> {
  const patterns = new Map<string, RegExp[]>();
  for (const [names, value] of table) {
    const pattern = new RegExp(`^(?:${value})$`, 'i');
    for (const name of names.split(' ')) patterns.set(name, [...(patterns.get(name) ?? []), pattern]);
  }
  return patterns;
}

function matchesAny(patterns: Map<string, RegExp[]>, { name, value }: LiquidTag): boolean {
  return patterns.get(name)?.some((pattern) => pattern.test(value)) ?? false;
}
