/**
 * Stores posts and log in memory and in a journal of JSON lines. A line contains a post and its log
 * entry, so that a kill between two writes cannot separate them. The journal survives the process,
 * not a power cut.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { buildKey, readOwner } from './posts/owners.ts';
import { type LogEntry, type PostsByPlatform, SANDBOX_PLATFORMS, type SandboxPlatform } from './posts/posts.ts';

type Post = PostsByPlatform[SandboxPlatform];

/** The log entry of an action. Its account follows from the post. */
export type ActionRecord = Omit<LogEntry, 'account'>;

/** A post with data that only the sandbox has. */
export interface StoredPost {
  platform: SandboxPlatform;
  post: Post;
  /** Whether it existed before the first API request. */
  byHand: boolean;
  /** When it was created or last changed. */
  changedAt: string;
}

export interface SandboxState {
  posts<P extends SandboxPlatform>(platform: P): ReadonlyMap<string, PostsByPlatform[P]>;
  /** Performed actions, oldest first. */
  log(): readonly LogEntry[];
  /** All posts of all platforms, oldest first. Includes tags and media of WordPress. */
  listPosts(): readonly StoredPost[];
  /** Saves the post, and the log entry of the action if `done` is set. */
  save<P extends SandboxPlatform>(platform: P, post: PostsByPlatform[P], done?: ActionRecord): void;
  /** Adds a post that its author wrote by hand, unless it exists. Logs nothing. */
  addManualPost<P extends SandboxPlatform>(platform: P, post: PostsByPlatform[P], at: string): void;
  /** A number that no post has had in any run. */
  nextId(): number;
  close(): void;
}

interface JournalLine {
  platform: SandboxPlatform;
  post: Post;
  entry?: LogEntry | undefined;
  /** When it was written by hand. */
  byHandAt?: string | undefined;
}

/** Reads the journal at `path` and appends to it. Without a path nothing is stored. */
export function openState(path: string | undefined): SandboxState {
  const tables = new Map<SandboxPlatform, Map<string, Post>>(SANDBOX_PLATFORMS.map((key) => [key, new Map()]));
  const storedPosts = new Map<string, StoredPost>();
  const log: LogEntry[] = [];
  const apply = (line: JournalLine) => {
    const { platform, post, entry, byHandAt } = line;
    const key = buildKey(post);
    tables.get(platform)?.set(key, post);
    const existing = storedPosts.get(`${platform} ${key}`);
    const changedAt = entry?.at ?? byHandAt ?? existing?.changedAt ?? '';
    storedPosts.set(`${platform} ${key}`, {
      platform,
      post,
      byHand: existing?.byHand ?? byHandAt !== undefined,
      changedAt,
    });
    if (entry) log.push(entry);
  };
  const lines = path === undefined ? [] : readJournal(path);
  for (const line of lines) apply(line);
  const file = path === undefined ? null : rewriteJournal(path, lines);
  let created = [...storedPosts.values()].filter(({ byHand }) => !byHand).length;
  const write = (line: JournalLine) => {
    // Written to the file first, so that a response implies that the change is stored.
    if (file !== null) writeSync(file, `${JSON.stringify(line)}\n`);
    apply(line);
  };

  return {
    posts: <P extends SandboxPlatform>(platform: P) =>
      tables.get(platform) as unknown as ReadonlyMap<string, PostsByPlatform[P]>,
    log: () => log,
    listPosts: () => [...storedPosts.values()],
    save(platform, post, done) {
      const entry = done && { ...done, account: readOwner(platform, post) };
      write({ platform, post, entry });
    },
    addManualPost(platform, post, at) {
      if (!storedPosts.has(`${platform} ${buildKey(post)}`)) write({ platform, post, byHandAt: at });
    },
    nextId() {
      created += 1;
      return created;
    },
    close() {
      if (file !== null) closeSync(file);
    },
  };
}

/** Reads every complete line. Omits the last one if a kill cut it. */
function readJournal(path: string): JournalLine[] {
  if (!existsSync(path)) return [];
  const texts = readFileSync(path, 'utf8').split('\n');
  const lines: JournalLine[] = [];
  for (const [index, text] of texts.entries()) {
    if (text === '') continue;
    try {
      lines.push(completeLine(JSON.parse(text) as JournalLine));
    } catch (error) {
      if (index < texts.length - 1) throw new Error(`${path}: line ${index + 1} is damaged`, { cause: error });
    }
  }
  return lines;
}

/** Adds the site and the account to lines of older journals, which lack them. */
function completeLine({ platform, post, entry, byHandAt }: JournalLine): JournalLine {
  const site = 'kind' in post ? { site: post.site ?? (post.kind === 'ghostPost' ? 'ghost-site' : 'wordpress') } : {};
  const complete: Post = { ...post, ...site };
  return { platform, post: complete, entry: entry && { ...entry, account: readOwner(platform, complete) }, byHandAt };
}

/** Rewrites the journal atomically, because the next line must not be appended to half a line. */
function rewriteJournal(path: string, lines: JournalLine[]): number {
  mkdirSync(dirname(path), { recursive: true });
  const temporaryPath = `${path}.new`;
  writeFileSync(temporaryPath, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { flush: true });
  renameSync(temporaryPath, path);
  return openSync(path, 'a');
}
