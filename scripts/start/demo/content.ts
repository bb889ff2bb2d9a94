/**
 * The content of the demo beside `examples/first-post.md`: the author and date of each example,
 * comments and reactions.
 */

export type Person = 'demo' | 'second' | 'third';

export const PROFILES: Record<Person, { bio: string; links: string[] }> = {
  demo: {
    bio: 'A made-up author of this demo, who keeps every article in Git and writes about how it gets out again.',
    links: ['https://example.org/demo', 'https://example.com/@demo'],
  },
  second: {
    bio: 'Another made-up person. Databases, dates, and now and then a word about typography in German.',
    links: ['https://example.org/second'],
  },
  third: {
    bio: 'The third made-up person of this demo. Feeds, accessibility, the length of lines – and a destination that is broken.',
    links: ['https://example.org/third', 'https://example.net/third'],
  },
};

export const SERIES = { author: 'demo', title: 'A publishing pipeline in Git' } as const;

export interface Example {
  /** The file in `examples/`. */
  file: string;
  author: Person;
  /**
   * Days from publication to the first start; for a scheduled one, from the first start to
   * publication; null for a draft.
   */
  day: number | null;
  isScheduled?: true;
  /** Sent to the destinations in its frontmatter; the others are not. */
  isCrossPosted?: true;
  /** WordPress rejects the first attempt, so that the demo has a delivery to retry. */
  isRejectedOnce?: true;
  /** The approximate number of views on its first day. */
  views?: number;
}

/** At most nine per author, because of the rate limit of ten per minute. */
export const EXAMPLES: readonly Example[] = [
  { file: 'skip-locked-queue.md', author: 'second', day: 29, views: 40 },
  { file: 'pipeline-1-one-repository.md', author: 'demo', day: 26, views: 22, isCrossPosted: true },
  { file: 'sixty-six-characters.md', author: 'third', day: 23, views: 18 },
  { file: 'typografie.md', author: 'second', day: 20, views: 12 },
  { file: 'pipeline-2-checks.md', author: 'demo', day: 17, views: 25, isCrossPosted: true },
  { file: 'arabic-markdown.md', author: 'third', day: 14, views: 9 },
  { file: 'server-sent-events.md', author: 'second', day: 11, views: 34 },
  { file: 'screen-readers.md', author: 'third', day: 9, views: 20 },
  { file: 'time-zones.md', author: 'second', day: 7, views: 30 },
  { file: 'pipeline-3-calendar.md', author: 'demo', day: 4, views: 16, isCrossPosted: true, isRejectedOnce: true },
  { file: 'feeds.md', author: 'third', day: 2, views: 14, isCrossPosted: true },
  { file: 'explain.md', author: 'second', day: 9, isScheduled: true },
  { file: 'alt-text-draft.md', author: 'demo', day: null },
];

export interface DemoComment {
  by: Person;
  body: string;
  /** The author of the article, who accepts it as the answer. */
  acceptedBy?: Person;
  replies?: DemoComment[];
}

export const DEMO_COMMENTS: { file: string; remarks: DemoComment[] }[] = [
  {
    file: 'skip-locked-queue.md',
    remarks: [
      {
        by: 'demo',
        body: 'How do you choose the length of a lease? Our jobs take between a second and ten minutes.',
        replies: [
          {
            by: 'third',
            body: "Short, and extended while the job runs: `update … set leased_until = now() + interval '1 minute'` every 20 seconds. A crash is then noticed within a minute, however long the job.",
            acceptedBy: 'second',
            replies: [{ by: 'demo', body: 'That is so much better than the hour we had. Thank you!' }],
          },
          { by: 'second', body: 'And stop the job when extending fails: by then somebody else has it.' },
        ],
      },
      { by: 'third', body: 'The formula for the wait is **the** thing people leave out.' },
    ],
  },
  {
    file: 'time-zones.md',
    remarks: [
      {
        by: 'third',
        body: 'What about birthdays?',
        replies: [{ by: 'second', body: 'A `date`, without any zone. Nobody is born at an instant.' }],
      },
    ],
  },
  {
    file: 'pipeline-1-one-repository.md',
    remarks: [{ by: 'second', body: '`diff=markdown` alone was worth reading this. I never knew.' }],
  },
  { file: 'screen-readers.md', remarks: [{ by: 'demo', body: 'I tried it with my eyes closed. Humbling.' }] },
  { file: 'arabic-markdown.md', remarks: [{ by: 'second', body: 'شكرا، دليل واضح ومفيد.' }] },
  { file: 'first-post.md', remarks: [{ by: 'third', body: 'One file, and no more pasting. I am in.' }] },
];

export const REACTIONS: Record<Person, Record<string, readonly ('like' | 'love' | 'insightful' | 'celebrate')[]>> = {
  demo: {
    'skip-locked-queue.md': ['insightful', 'like'],
    'server-sent-events.md': ['like'],
    'screen-readers.md': ['love', 'insightful'],
    'time-zones.md': ['insightful'],
  },
  second: {
    'first-post.md': ['like', 'celebrate'],
    'pipeline-1-one-repository.md': ['like'],
    'pipeline-2-checks.md': ['insightful'],
    'sixty-six-characters.md': ['love'],
    'feeds.md': ['like'],
  },
  third: {
    'first-post.md': ['love'],
    'skip-locked-queue.md': ['insightful', 'love'],
    'time-zones.md': ['like', 'celebrate'],
    'pipeline-3-calendar.md': ['like'],
  },
};

export const FOLLOWS: Record<Person, readonly Person[]> = {
  demo: ['second'],
  second: ['demo', 'third'],
  third: ['demo', 'second'],
};

/** Days since each subscription to an author's newsletter. The addresses do not exist. */
export const SUBSCRIBERS: Record<Person, readonly number[]> = {
  demo: [27, 19, 12, 5, 1],
  second: [24, 15, 8],
  third: [10],
};

export const REFERRERS = ['direct', 'direct', 'news.example', 'search.example', 'direct', 'social.example'] as const;
