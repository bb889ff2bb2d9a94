/**
 * Finds unknown keys with values that suggest "not public": `publish: false`, `isDraft: true`, a
 * future `date`. Unknown keys are ignored (2.3, rule 1), so the article is published with a
 * warning. The command line requires a confirmation first.
 */
import type { Notice } from '../../types.ts';
import { foldName, showName } from '../field-names.ts';
import { describeNode, type FieldNode } from '../field-node.ts';
import { isClearlyFuture, isClearlyPast, isSomeTime } from '../other-times.ts';
import type { PublishState } from './publish-state.ts';
import { isNoWord, isYesWord, looksLikeName, readWord } from './state-words.ts';

export interface ResolvedState {
  state: PublishState;
  /** The author wrote this state under `status`, which settles every doubt. */
  isExplicit: boolean;
}

/** One notice per key, with its place. None for a draft. */
export function listDoubts(others: [string, FieldNode][], { state, isExplicit }: ResolvedState, now: Date): Notice[] {
  if (state.status === 'DRAFT' || isExplicit) return [];
  const doubts: Notice[] = [];
  for (const [path, node] of listEntries(others)) {
    const doubt = findDoubt(foldName(path.at(-1) ?? ''), node, now);
    // A scheduled article is not public before its time.
    if (doubt === null || (doubt === 'future' && state.status === 'SCHEDULED')) continue;
    const name = path.map(showName).join('.');
    doubts.push({
      code: 'state_doubtful',
      path: name,
      message: describeDoubt(name, node, { doubt, status: state.status }),
      ...node.place,
    });
  }
  return doubts;
}

/** Warns about a file in `_drafts/` (Jekyll) or `drafts/`, which is published like any other. */
export function listFolderDoubts(path: string | undefined, { state, isExplicit }: ResolvedState): Notice[] {
  if (state.status === 'DRAFT' || isExplicit) return [];
  const folders = path?.split(/[\\/]/).slice(0, -1) ?? [];
  const folder = folders.findLast((name) => /^_?drafts?$/i.test(name));
  if (folder === undefined) return [];
  const message = `The file is in ${folder}/, but a folder does not prevent publishing. Write draft: true, or status: ${state.status} if the article may be public.`;
  return [{ code: 'state_doubtful', path: 'fileName', message }];
}

type Doubt = 'hidden' | 'future' | 'expired';

/** Mappings in which themes and generators store page settings. */
const CONTAINERS = new Set(['params', 'extra', 'meta', 'metadata', 'frontmatter', 'page', 'post', 'article', 'build']);

function listEntries(others: [string, FieldNode][]): [string[], FieldNode][] {
  return others.flatMap(([key, node]): [string[], FieldNode][] => {
    if (node.kind !== 'map' || !CONTAINERS.has(foldName(key))) return [[[key], node]];
    return node.entries.map(([name, item]) => [[key, name], item]);
  });
}

/** True means "not public". */
const HIDING = new Set(
  `private isprivate hidden ishidden hide unlisted isunlisted secret internal wip iswip internalonly membersonly confidential
  embargo embargoed workinprogress disabled deleted unpublished isunpublished unpublish nopublish notpublished dontpublish
  donotpublish skippublish ignore ignorepost skip exclude excludefromcollections eleventyexcludefromcollections`.split(
    /\s+/,
  ),
);
/** False means "not public". */
const SHOWING =
  /^(?:is|to|be|dg|do|should|can|auto)*(?:publish|published|public|publishable|live|visible|online|released|release|ready|readyto(?:publish)?|listed|enabled?|active)$/;
/** Keys with the name of a state as their value. */
const STATE =
  /^(?:state|stage|visibility|access|accesslevel|privacy|type|posttype|status|(?:post|publish(?:ing|ed)?|publication|article|page|content|document|doc|review|entry)(?:status|state))$/;
const TIME =
  /^(?:date|day|datetime|timestamp|time|when|startdate|draftuntil|livefrom|liveat|post(?:on|at|date|time))$|publi|pubdate|pubtime|releas|schedul|embargo|golive|availab|visiblefrom/;
const END = /^(?:expir|expdate|unpublish|validuntil|visibleuntil)/;

function findDoubt(name: string, node: FieldNode, now: Date): Doubt | null {
  if (node.kind !== 'scalar' || node.value === null) return null;
  const word = readWord(node);
  if (meansHidden(name, word) || meansScheduled(name, node.text, word)) return 'hidden';
  if (END.test(name)) return isClearlyPast(node.text, now) ? 'expired' : null;
  const isTime = TIME.test(name) || looksLikeName(name, 'scheduledat') || SHOWING.test(name) || HIDING.has(name);
  return isTime && isClearlyFuture(node.text, now) ? 'future' : null;
}

function meansHidden(name: string, word: string): boolean {
  if ((HIDING.has(name) || name.includes('draft') || isNear(name, ['draft', 'private'])) && isYesWord(word))
    return true;
  if ((SHOWING.test(name) || isNear(name, ['published', 'publish'])) && (isNoWord(word) || isHiddenWord(word)))
    return true;
  // Eleventy and Hugo write no page for these values.
  if (name === 'permalink' || name === 'render') return word === 'false' || word === 'never';
  if (name === 'password' || name === 'postpassword') return word !== '' && !isNoWord(word);
  return (STATE.test(name) || isNear(name, ['status', 'visibility'])) && isHiddenWord(word);
}

/** `scheduled: true`, `embargo: until May`: the article is to wait, but the time is unknown. */
function meansScheduled(name: string, text: string, word: string): boolean {
  return /schedul|embargo/.test(name) && word !== '' && !isNoWord(word) && !isSomeTime(text);
}

/** Ordinary words that differ from a key of the state by one letter. */
const OTHER_WORDS = new Set(['craft', 'drift', 'graft', 'raft', 'polished', 'statue']);

function isNear(name: string, known: string[]): boolean {
  return !OTHER_WORDS.has(name) && known.some((other) => looksLikeName(name, other));
}

const HIDDEN_WORDS = new Set(
  `draft,drafts,private,hidden,unlisted,unpublished,pending,wip,in progress,todo,idea,internal,review,in review,members,secret,
scheduled,future,embargoed,trash,later,not published,work in progress,soon,password,only me`.split(/,\n?/),
);

function isHiddenWord(word: string): boolean {
  return HIDDEN_WORDS.has(word.replace(/[\s_-]+/g, ' '));
}

function describeDoubt(
  name: string,
  node: FieldNode,
  { doubt, status }: { doubt: Doubt; status: PublishState['status'] },
): string {
  const setting = `${name}: ${describeNode(node).replace(/^the number /, '')}`;
  if (doubt === 'future') {
    return `${setting} is in the future, but only scheduled_at schedules an article. Write scheduled_at, draft: true, or status: ${status} if the article may be public now.`;
  }
  const reason = doubt === 'expired' ? 'means that the article has expired' : 'sounds like "not public"';
  return `${setting} ${reason}, but this key does not prevent publishing. Write draft: true, or status: ${status} if the article may be public.`;
}
