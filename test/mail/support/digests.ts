/** Digests to render: an ordinary week, the smallest possible one, and a hostile one. */
import type { DigestContent } from '../../../mail/digest/view.ts';

const SITE = 'https://courant.example';

export function ordinaryDigest(): DigestContent {
  return {
    author: { name: 'Ada Lovelace', username: 'ada' },
    period: { from: '2026-11-09', to: '2026-11-15', zone: 'Europe/Berlin' },
    views: { now: 1284, before: 1146 },
    readingSeconds: { now: 40_500, before: 43_200 },
    reactions: { now: 96, before: 96 },
    subscribers: { now: 7, before: 4 },
    followers: { now: 12, before: 0 },
    newFollowers: ['Grace Hopper', 'Linus', 'Радия Перлман', '山田 太郎', 'Zoë'],
    articles: [
      {
        title: 'Durable timers: what a restart must not forget',
        url: `${SITE}/durable-timers`,
        views: { now: 611, before: 40 },
        reactions: { now: 41, before: 3 },
      },
      {
        title: 'Größe & Güte: <T extends "generic"> in TypeScript',
        url: `${SITE}/generics?a=1&b=2`,
        views: { now: 402, before: 511 },
        reactions: { now: 1, before: 25 },
      },
      {
        title: 'Notes on the Analytical Engine',
        url: `${SITE}/notes`,
        views: { now: 118, before: 0 },
        reactions: { now: 0, before: 0 },
      },
    ],
    discussions: [
      {
        title: 'Durable timers: what a restart must not forget',
        url: `${SITE}/durable-timers#comments`,
        reason: 'pending',
        comments: 1,
        excerpt: 'What happens when the clock of the machine jumps while a timer waits? We saw ours fire twice.',
      },
      {
        title: 'Notes on the Analytical Engine',
        url: `${SITE}/notes#comments`,
        reason: 'engaged',
        comments: 34,
        excerpt: 'I disagree with the third note: a table of operations is a program only if something runs it.',
      },
    ],
    settingsUrl: `${SITE}/settings/notifications`,
    unsubscribeUrl: `${SITE}/digest/unsubscribe?token=u1.3f2c9d7e.abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ`,
    siteUrl: SITE,
  };
}

export function minimalDigest(): DigestContent {
  const none = { now: 0, before: 0 };
  return {
    ...ordinaryDigest(),
    period: { from: '2026-11-15', to: '2026-11-15', zone: 'UTC' },
    views: none,
    readingSeconds: none,
    reactions: none,
    subscribers: none,
    followers: none,
    newFollowers: [],
    articles: [],
    discussions: [],
  };
}

export const HOSTILE_TEXTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style><svg onload=alert(1)>',
  '{{unsubscribeUrl}}{{#articles}}{{title}}',
  '<!--[if mso]><v:rect href="https://evil.example"><![endif]-->',
  '&lt;b&gt; &#60;b&#62; &amp;',
  'Hi\r\nBcc: victim@example.org',
  'Hi\rBcc: victim@example.org\u2028Bcc: other@example.org\u0085\u0000\u001b[31m',
  'a\u202egpj.exe\u2066 and a lone \ud800 half',
  `${'W'.repeat(300)}`,
  `${'e\u0301\u0302\u0303'.repeat(200)}`,
  '$& $1 $` $$ %s',
];

/** Creates a digest with `text` in every field that a stranger can write. */
export function hostileDigest(text: string, url = 'javascript:alert(1)'): DigestContent {
  const much = { now: Number.MAX_SAFE_INTEGER, before: 3 };
  return {
    ...ordinaryDigest(),
    author: { name: text, username: text },
    period: { from: '2026-10-15', to: '2026-11-14', zone: text },
    views: much,
    readingSeconds: much,
    reactions: { now: Number.NaN, before: -4 },
    newFollowers: Array.from({ length: 9 }, () => text),
    articles: Array.from({ length: 9 }, () => ({ title: text, url, views: much, reactions: { now: 0, before: 9 } })),
    discussions: Array.from({ length: 12 }, (_, index) => ({
      title: text,
      url,
      reason: index % 2 === 0 ? ('pending' as const) : ('engaged' as const),
      comments: 1e9,
      excerpt: text.repeat(20),
    })),
    settingsUrl: url,
    unsubscribeUrl: url,
  };
}
