/**
 * Prepares a digest for rendering: formats figures and cleans texts to one line. HTML and text use
 * the same view.
 */
import { cleanToOneLine, toWebAddress } from '../clean-text.ts';
import { type Change, describeChange, formatCount, formatDuration, formatQuantity, type Tone } from './figures.ts';

/** The content of a digest, as unformatted numbers and names. */
export interface DigestContent {
  author: { name: string; username: string };
  /** First and last day covered, in the author's time zone (ISO dates, IANA zone). */
  period: { from: string; to: string; zone: string };
  views: Change;
  readingSeconds: Change;
  reactions: Change;
  subscribers: Change;
  /** Null if the author excluded followers from the digest. */
  followers: Change | null;
  /** Up to 5 names, newest first. */
  newFollowers: string[];
  /** Up to 5, most read first. */
  articles: { title: string; url: string; views: Change; reactions: Change }[];
  /** Up to 5. `engaged`: many comments; `pending`: questions that the author has not answered. */
  discussions: { title: string; url: string; reason: 'engaged' | 'pending'; comments: number; excerpt: string }[];
  settingsUrl: string;
  unsubscribeUrl: string;
  siteUrl: string;
}

export interface Figure {
  label: string;
  value: string;
  change: string;
  tone: Tone;
}

export interface DigestView {
  subject: string;
  /** The text that an inbox shows beside the subject. */
  preview: string;
  name: string;
  username: string;
  /** day, week, month */
  unit: string;
  dates: string;
  zone: string;
  /** Two sentences at most. */
  opening: string;
  reading: Figure[];
  audience: Figure[];
  /** Empty if no new follower has a name. */
  newFollowers: string;
  articles: { title: string; url: string; views: Figure; reactions: Figure }[];
  pending: Discussion[];
  engaged: Discussion[];
  settingsUrl: string;
  unsubscribeUrl: string;
  siteUrl: string;
}

export interface Discussion {
  title: string;
  url: string;
  comments: string;
  excerpt: string;
}

export function viewDigest(content: DigestContent): DigestView {
  const { unit, dates } = describePeriod(content.period);
  const siteUrl = toWebAddress(content.siteUrl, 'about:blank');
  const address = (url: string) => toWebAddress(url, siteUrl);
  const news = listHeadlines(content);
  const discussions = (reason: 'engaged' | 'pending') =>
    content.discussions
      .filter((discussion) => discussion.reason === reason)
      .slice(0, LIST_LENGTH)
      .map(({ title, url, comments, excerpt }) => ({
        title: cleanTitle(title),
        url: address(url),
        comments: reason === 'pending' ? formatReplies(comments) : formatQuantity(comments, 'comment'),
        excerpt: cleanToOneLine(excerpt, 240),
      }));
  return {
    subject: news.length > 0 ? `Your ${unit}: ${news.slice(0, 3).join(', ')}` : `Your ${unit} on Courant`,
    preview: news.length > 0 ? `${dates}: ${news.join(', ')}` : `${dates}: a quiet ${unit}`,
    name: cleanToOneLine(content.author.name, 80) || cleanToOneLine(content.author.username, 80),
    username: cleanToOneLine(content.author.username, 80),
    unit,
    dates,
    zone: cleanToOneLine(content.period.zone, 60),
    opening:
      news.length > 0
        ? `The activity on your articles, compared with the previous ${unit}.`
        : `A quiet ${unit}: nothing new to report.`,
    reading: [
      buildFigure('Views', content.views),
      buildFigure('Reading time', content.readingSeconds, formatDuration),
      buildFigure('Reactions', content.reactions),
    ],
    audience: [
      buildFigure('New subscribers', content.subscribers),
      ...(content.followers ? [buildFigure('New followers', content.followers)] : []),
    ],
    newFollowers: listFollowers(content.newFollowers, content.followers?.now ?? 0),
    articles: content.articles.slice(0, LIST_LENGTH).map(({ title, url, views, reactions }) => ({
      title: cleanTitle(title),
      url: address(url),
      views: { ...buildFigure('Views', views), value: formatQuantity(views.now, 'view') },
      reactions: { ...buildFigure('Reactions', reactions), value: formatQuantity(reactions.now, 'reaction') },
    })),
    pending: discussions('pending'),
    engaged: discussions('engaged'),
    settingsUrl: address(content.settingsUrl),
    unsubscribeUrl: address(content.unsubscribeUrl),
    siteUrl,
  };
}

const LIST_LENGTH = 5;

function cleanTitle(title: string): string {
  return cleanToOneLine(title, 160) || 'Untitled';
}

/** For a question that the author of the article has not answered. */
function formatReplies(replies: number): string {
  return replies > 0 ? `${formatQuantity(replies, 'reply', 'replies')}, none from you yet` : 'No reply yet';
}

function buildFigure(label: string, change: Change, value: (amount: number) => string = formatCount): Figure {
  const changed = describeChange(change, value);
  return { label, value: value(change.now), change: changed.text, tone: changed.tone };
}

/**
 * The highlights for subject and preview, most important first. Open questions precede passive
 * events.
 */
function listHeadlines({ views, reactions, subscribers, followers, discussions }: DigestContent): string[] {
  const pending = discussions.filter(({ reason }) => reason === 'pending').length;
  const engaged = discussions.length - pending;
  const lines: [number, string, string?][] = [
    [views.now, 'view'],
    [pending, 'open question'],
    [followers?.now ?? 0, 'new follower'],
    [subscribers.now, 'new subscriber'],
    [reactions.now, 'reaction'],
    [engaged, 'active discussion'],
  ];
  return lines.filter(([count]) => count > 0).map(([count, one, many]) => formatQuantity(count, one, many));
}

function listFollowers(followers: readonly string[], total: number): string {
  const names = followers
    .slice(0, LIST_LENGTH)
    .map((name) => cleanToOneLine(name, 60))
    .filter((name) => name !== '');
  if (names.length === 0) return '';
  const more = Math.floor(total) - names.length;
  return LIST.format(more > 0 ? [...names, `${formatCount(more)} more`] : names);
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

interface PeriodText {
  /** day, week, month, 10 days */
  unit: string;
  /** 9 – 15 November 2026 */
  dates: string;
}

/** Throws a `RangeError` if a date is not an ISO date. */
function describePeriod({ from, to }: { from: string; to: string }): PeriodText {
  const [first, last] = [parseDay(from), parseDay(to)];
  const days = Math.round((last.getTime() - first.getTime()) / 86_400_000) + 1;
  return { unit: nameUnit(days), dates: DATES.formatRange(first, last) };
}

/** The dates are in the author's time zone. Parsing and formatting in UTC does not shift them. */
function parseDay(date: string): Date {
  const at = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) throw new RangeError('the period of a digest requires ISO dates');
  return at;
}

function nameUnit(days: number): string {
  if (days === 1) return 'day';
  if (days === 7) return 'week';
  return days >= 28 && days <= 31 ? 'month' : `${days} days`;
}

const DATES = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
