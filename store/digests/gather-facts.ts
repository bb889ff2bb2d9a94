/**
 * The facts of a digest: of its seven days, and counts of the seven before. See
 * docs/internals/digest.md.
 */
import type { Kysely } from 'kysely';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import { addDays, findStartOfDay } from '../calendar/days.ts';
import type { DB } from '../db/types.ts';
import { listExcludedFromDigest } from '../notifications/preferences.ts';
import { type Change, countArticles, countAudience, listNewFollowers } from './count-changes.ts';
import { findDiscussions } from './discussions.ts';

export interface DigestRequest {
  author: { id: string; name: string; username: string };
  /** The day of the digest, which is not counted. */
  date: string;
  zone: string;
  baseUrl: string;
  unsubscribeUrl: string;
}

const DAYS = 7;
const MAX_LISTED = 5;

export type DigestFacts = Awaited<ReturnType<typeof gatherDigestFacts>>;

export async function gatherDigestFacts(db: Kysely<DB>, request: DigestRequest) {
  const { author, date, zone, baseUrl, unsubscribeUrl } = request;
  const days = { from: addDays(date, -DAYS), previousFrom: addDays(date, -2 * DAYS), end: date };
  const bounds = {
    from: findStartOfDay(date, zone, -DAYS),
    previousFrom: findStartOfDay(date, zone, -2 * DAYS),
    end: findStartOfDay(date, zone),
  };
  const excludedTypes = await listExcludedFromDigest(db, author.id);
  const [articles, { followers, subscribers }, newFollowers, discussions] = await Promise.all([
    countArticles(db, author.id, days, bounds),
    countAudience(db, author.id, bounds),
    excludedTypes.has('NEW_FOLLOWER') ? [] : listNewFollowers(db, author.id, bounds, MAX_LISTED),
    excludedTypes.has('NEW_COMMENT')
      ? []
      : findDiscussions(db, { authorId: author.id, from: bounds.from, end: bounds.end, baseUrl }),
  ]);
  return {
    author: { name: author.name, username: author.username },
    period: { from: days.from, to: addDays(date, -1), zone },
    views: sum(articles.map((article) => article.views)),
    readingSeconds: sum(articles.map((article) => article.readingSeconds)),
    reactions: sum(articles.map((article) => article.reactions)),
    subscribers,
    // Null if the author has excluded them from the digest.
    followers: excludedTypes.has('NEW_FOLLOWER') ? null : followers,
    newFollowers,
    articles: articles
      .filter(({ status, views, reactions }) => status === 'PUBLISHED' && views.now + reactions.now > 0)
      .slice(0, MAX_LISTED)
      .map(({ title, slug, views, reactions }) => ({ title, url: buildArticleUrl(baseUrl, slug), views, reactions })),
    discussions,
    settingsUrl: `${baseUrl}/settings`,
    unsubscribeUrl,
    siteUrl: baseUrl,
  };
}

/** Whether nothing happened in these days. A count that fell since the week before is ignored. */
export function isQuietPeriod(facts: DigestFacts): boolean {
  const { views, readingSeconds, reactions, subscribers, followers, discussions } = facts;
  const hasNews = [views, readingSeconds, reactions, subscribers, followers].some(
    (change) => change !== null && change.now > 0,
  );
  return !hasNews && discussions.length === 0;
}

function sum(changes: Change[]): Change {
  const total = { now: 0, before: 0 };
  for (const { now, before } of changes) {
    total.now += now;
    total.before += before;
  }
  return total;
}
