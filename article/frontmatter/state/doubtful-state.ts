/**
 * Finds unknown keys that suggest "not public": `publish: false`, a future `date`. They are ignored
 * (2.3, rule 1) with a warning, which the command line requires to be confirmed.
 */
import type { Notice } from '../../types.ts';
import { foldName, showName } from '../field-names.ts';
import { describeNode, type FieldNode } from '../field-node.ts';
import { readPublishTime } from '../publish-time.ts';
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

const list = (names: string) => new Set(names.split(/\s+/));

/** Keys of other tools in folded spelling. True means "not public". */
const HIDING = list(`draft drafts isdraft draftmode saveasdraft asdraft indraft
  private isprivate hidden ishidden hide unlisted isunlisted secret internal wip iswip internalonly membersonly confidential
  embargo embargoed workinprogress disabled deleted unpublished isunpublished unpublish nopublish notpublished dontpublish
  donotpublish skippublish ignore ignorepost skip exclude excludefromcollections eleventyexcludefromcollections`);
/** False, or a state, means "not public". */
const SHOWING =
  list(`publish published public publishable live visible online released release ready readytopublish listed
  enabled enable active ispublish ispublished ispublic islive isvisible isonline isreleased isready islisted isenabled isactive
  dgpublish topublish tobepublished dopublish shouldpublish canpublish autopublish`);
/** Their value is a state. */
const STATE = list(`state stage visibility access accesslevel privacy type posttype status poststatus publishstatus
  publishingstatus publishedstatus publicationstatus articlestatus pagestatus contentstatus documentstatus docstatus reviewstatus
  entrystatus poststate publishstate publishingstate publicationstate articlestate pagestate contentstate documentstate docstate
  reviewstate`);
/** A time in the future means "not public yet". */
const TIME =
  list(`date day datetime timestamp time when startdate draftuntil livefrom liveat poston postat postdate posttime
  publishdate publishat publishon publishtime publisheddate publishedat publishedon publicationdate pubdate pubtime releasedate
  releaseat releaseon releasedat schedule scheduled scheduledat scheduledfor scheduledate scheduleddate scheduleat embargo
  embargountil embargodate goliveat golivedate golive availableat availablefrom availableon visiblefrom`);
const SCHEDULE = list(
  'schedule scheduled scheduledat scheduledfor scheduledate scheduleddate scheduleat embargo embargountil',
);
const END =
  list(`expires expiresat expireson expiry expirydate expiration expirationdate expdate unpublishdate unpublishat
  unpublishon validuntil visibleuntil`);

function findDoubt(name: string, node: FieldNode, now: Date): Doubt | null {
  if (node.kind !== 'scalar' || node.value === null) return null;
  const word = readWord(node);
  if (meansHidden(name, word)) return 'hidden';
  // `scheduled: true`, `embargo: until May`: the article is to wait, but the time is unknown.
  if (SCHEDULE.has(name) && word !== '' && !isNoWord(word) && !isSomeTime(node.text)) return 'hidden';
  if (END.has(name)) return isClearlyPast(node.text, now) ? 'expired' : null;
  const isTime = TIME.has(name) || isNear(name, ['scheduledat']) || SHOWING.has(name) || HIDING.has(name);
  return isTime && isClearlyFuture(node.text, now) ? 'future' : null;
}

function meansHidden(name: string, word: string): boolean {
  if ((HIDING.has(name) || isNear(name, ['draft', 'private'])) && isYesWord(word)) return true;
  if ((SHOWING.has(name) || isNear(name, ['published', 'publish'])) && (isNoWord(word) || isHiddenWord(word)))
    return true;
  // Eleventy and Hugo write no page for these values.
  if (name === 'permalink' || name === 'render') return word === 'false' || word === 'never';
  if (name === 'password' || name === 'postpassword') return word !== '' && !isNoWord(word);
  return (STATE.has(name) || isNear(name, ['status', 'visibility'])) && isHiddenWord(word);
}

/** Words that resemble a key of the state, and have another meaning. */
const OTHER_WORDS = list('craft drift graft raft polished statue unpublished');

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

/** A time without an offset is the author's local time, which differs from UTC by at most this. */
const MAX_OFFSET_MS = 14 * 3_600_000;

/** True if the time is in the future in every time zone. False for text that is no time. */
function isClearlyFuture(text: string, now: Date): boolean {
  const time = readOtherTime(text);
  return time !== null && time.at - (time.hasOffset ? 0 : MAX_OFFSET_MS) > now.getTime();
}

function isClearlyPast(text: string, now: Date): boolean {
  const time = readOtherTime(text);
  return time !== null && time.at + (time.hasOffset ? 0 : MAX_OFFSET_MS) <= now.getTime();
}

function isSomeTime(text: string): boolean {
  return readOtherTime(text) !== null;
}

function readOtherTime(value: string): { at: number; hasOffset: boolean } | null {
  const text = value.trim().replace(/^(["'])(.*)\1$/, '$2');
  if (text.length > 60) return null;
  if (/^\d{10}(?:\d{3})?$/.test(text)) return { at: Number(text.padEnd(13, '0')), hasOffset: true };
  const read = readPublishTime(text.replace(/^(\d{4})[/.](\d{1,2})[/.](\d{1,2})/, toIsoDate));
  if (!('problem' in read)) return { at: read.at.getTime(), hasOffset: read.hasOffset };
  // "24 December 2026", "12/24/2026": the engine reads these. The year excludes other numbers.
  if (!/\b\d{4}\b/.test(text) || !/^[\p{L}\d]/u.test(text)) return null;
  const local = Date.parse(`${text} UTC`);
  if (!Number.isNaN(local)) return { at: local, hasOffset: false };
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : { at, hasOffset: true };
}

function toIsoDate(_all: string, year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
