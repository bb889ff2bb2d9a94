/**
 * Posts and log, in memory and in a journal of JSON lines. A line holds a post and its log entry together, so that a
 * kill between two writes cannot leave one without the other. It survives the process, not a power cut.
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
import { type LogEntry, type PostsByPlatform, SANDBOX_PLATFORMS, type SandboxPlatform } from './posts.ts';

export interface SandboxState {
  posts<P extends SandboxPlatform>(platform: P): ReadonlyMap<string, PostsByPlatform[P]>;
  /** What was really done, oldest first. */
  log(): readonly LogEntry[];
  /** Saves the post and, if something visible was done, the log entry. */
  save<P extends SandboxPlatform>(platform: P, post: PostsByPlatform[P], entry?: LogEntry): void;
  /** A number that no post has had in any run. */
  nextId(): number;
  close(): void;
}

interface JournalLine {
  platform: SandboxPlatform;
  post: { id: string };
  entry?: LogEntry | undefined;
}

/** Reads the journal at `path` and appends to it; without a path nothing is stored. */
export function openState(path: string | undefined): SandboxState {
  const tables = new Map<SandboxPlatform, Map<string, { id: string }>>(
    SANDBOX_PLATFORMS.map((key) => [key, new Map()]),
  );
  const log: LogEntry[] = [];
  const apply = (line: JournalLine) => {
    tables.get(line.platform)?.set(line.post.id, line.post);
    if (line.entry) log.push(line.entry);
  };
  const lines = path === undefined ? [] : readJournal(path);
  for (const line of lines) apply(line);
  const file = path === undefined ? null : rewriteJournal(path, lines);
  let created = [...tables.values()].reduce((total, table) => total + table.size, 0);

  return {
    posts: <P extends SandboxPlatform>(platform: P) =>
      tables.get(platform) as unknown as ReadonlyMap<string, PostsByPlatform[P]>,
    log: () => log,
    save(platform, post, entry) {
      // To the file first: whatever is answered after this is stored.
      const line: JournalLine = { platform, post, entry };
      if (file !== null) writeSync(file, `${JSON.stringify(line)}\n`);
      apply(line);
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

/** Every whole line; the last one is left out if a kill cut it. */
function readJournal(path: string): JournalLine[] {
  if (!existsSync(path)) return [];
  const texts = readFileSync(path, 'utf8').split('\n');
  const lines: JournalLine[] = [];
  for (const [index, text] of texts.entries()) {
    if (text === '') continue;
    try {
      lines.push(JSON.parse(text) as JournalLine);
    } catch (error) {
      if (index < texts.length - 1) throw new Error(`${path}: line ${index + 1} is damaged`, { cause: error });
    }
  }
  return lines;
}

/** Rewrites the journal atomically: the next line must not be appended to half a line. */
function rewriteJournal(path: string, lines: JournalLine[]): number {
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.new`;
  writeFileSync(fresh, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { flush: true });
  renameSync(fresh, path);
  return openSync(path, 'a');
}
