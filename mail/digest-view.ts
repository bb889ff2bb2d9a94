/** A digest as it is shown: every figure in words, every text one clean line. HTML and text are both made from this. */
import type { Change, DigestContent } from './digest-content.ts';
import { type ChangeText, changeText, counted, countText, durationText, type Tone } from './figures.ts';
import { periodText } from './period.ts';
import { oneLine, webAddress } from './plain.ts';

export interface Figure {
  label: string;
  value: string;
  change: string;
  tone: Tone;
}

export interface DigestView {
  subject: string;
  /** What an inbox shows beside the subject. */
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
  /** Empty where nobody new is known by name. */
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
  const { unit, dates } = periodText(content.period);
  const siteUrl = webAddress(content.siteUrl, 'about:blank');
  const address = (url: string) => webAddress(url, siteUrl);
  const news = headlines(content);
  const discussions = (reason: 'engaged' | 'pending') =>
    content.discussions
      .filter((discussion) => discussion.reason === reason)
      .slice(0, LIST_LENGTH)
      .map(({ title, url, comments, excerpt }) => ({
        title: titleOf(title),
        url: address(url),
        comments: counted(comments, 'comment'),
        excerpt: oneLine(excerpt, 240),
      }));
  return {
    subject: news.length > 0 ? `Your ${unit}: ${news.slice(0, 3).join(', ')}` : `Your ${unit} on Courant`,
    preview: news.length > 0 ? `${dates}: ${news.join(', ')}` : `${dates}: a quiet ${unit}`,
    name: oneLine(content.author.name, 80) || oneLine(content.author.username, 80),
    username: oneLine(content.author.username, 80),
    unit,
    dates,
    zone: oneLine(content.period.zone, 60),
    opening:
      news.length > 0
        ? `Here is what happened around your articles, compared with the ${unit} before.`
        : `It was a quiet ${unit}: there is nothing new to report.`,
    reading: [
      figure('Views', content.views),
      figure('Reading time', content.readingSeconds, durationText),
      figure('Reactions', content.reactions),
    ],
    audience: [figure('New subscribers', content.subscribers), figure('New followers', content.followers)],
    newFollowers: followerNames(content.newFollowers, content.followers.now),
    articles: content.articles.slice(0, LIST_LENGTH).map(({ title, url, views, reactions }) => ({
      title: titleOf(title),
      url: address(url),
      views: { ...figure('Views', views), value: counted(views.now, 'view') },
      reactions: { ...figure('Reactions', reactions), value: counted(reactions.now, 'reaction') },
    })),
    pending: discussions('pending'),
    engaged: discussions('engaged'),
    settingsUrl: address(content.settingsUrl),
    unsubscribeUrl: address(content.unsubscribeUrl),
    siteUrl,
  };
}

const LIST_LENGTH = 5;

function titleOf(title: string): string {
  return oneLine(title, 160) || 'Untitled';
}

function figure(label: string, change: Change, value: (amount: number) => string = countText): Figure {
  const moved: ChangeText = changeText(change, value);
  return { label, value: value(change.now), change: moved.text, tone: moved.tone };
}

/** What is worth an inbox's glance, most telling first. What waits for the author is named before what merely was. */
function headlines({ views, reactions, subscribers, followers, discussions }: DigestContent): string[] {
  const pending = discussions.filter(({ reason }) => reason === 'pending').length;
  const engaged = discussions.length - pending;
  const lines: [number, string, string?][] = [
    [views.now, 'view'],
    [pending, 'question waiting', 'questions waiting'],
    [followers.now, 'new follower'],
    [subscribers.now, 'new subscriber'],
    [reactions.now, 'reaction'],
    [engaged, 'lively discussion'],
  ];
  return lines.filter(([count]) => count > 0).map(([count, one, many]) => counted(count, one, many));
}

function followerNames(given: readonly string[], total: number): string {
  const names = given
    .slice(0, LIST_LENGTH)
    .map((name) => oneLine(name, 60))
    .filter((name) => name !== '');
  if (names.length === 0) return '';
  const more = Math.floor(total) - names.length;
  return LIST.format(more > 0 ? [...names, `${countText(more)} more`] : names);
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });
