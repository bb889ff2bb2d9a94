/**
 * Stores posts and log in memory and in a journal of JSON lines. A line contains a post and its
 * action, so that a kill between two writes cannot separate them. The journal survives the process,
 * not a power cut.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export const SANDBOX_PLATFORMS = ['blogsite_a', 'blogsite_b', 'blogsite_c', 'cms_site', 'social_feed'] as const;
export type SandboxPlatform = (typeof SANDBOX_PLATFORMS)[number];

type LoggedAction = 'create' | 'update' | 'withdraw';

/** What every platform stores of a post. Times are ISO strings. */
export interface SandboxPost {
  id: string;
  /**
   * The owner, which renames do not change. Forem: the user's name. Hashnode: the publication's id.
   * Medium: the user's id. WordPress: site and user name. Ghost: the site. LinkedIn: the URN of the
   * person or organisation.
   */
  account: string;
  title: string;
  canonicalUrl: string | null;
  /** `published`, `draft`, `deleted`, or the platform's term: `delisted`, `unlisted`, `trash`. */
  status: string;
  createdAt: string;
}

export interface LogEntry {
  platform: SandboxPlatform;
  action: LoggedAction;
  account: string;
  remoteId: string;
  canonicalUrl: string | null;
  title: string;
  at: string;
}

/** The posts of one platform or site, or other records of it. */
export interface Table<T extends { id: string }> {
  /** Oldest first. */
  list(): T[];
  get(id: string): T | undefined;
  /** Saves the record, and logs the action if there is one. */
  save(record: T, action?: LoggedAction): void;
  /** Adds a post that its author wrote by hand, unless it exists. Logs nothing. */
  addManual(post: T & SandboxPost): void;
}

interface JournalLine {
  table: string;
  platform: SandboxPlatform;
  record: { id: string } & Partial<SandboxPost>;
  at: string;
  action?: LoggedAction | undefined;
  byHand?: boolean;
}

export type SandboxState = ReturnType<typeof openState>;

/** Reads the journal at `path` and appends to it. Without a path nothing is stored. */
export function openState(path: string | undefined, now: () => Date) {
  const records = new Map<string, JournalLine>();
  const log: LogEntry[] = [];
  const apply = (line: JournalLine) => {
    const { table, platform, record, action, at } = line;
    const key = `${table}/${record.id}`;
    const { byHand = false } = records.get(key) ?? line;
    records.set(key, { ...line, byHand });
    if (action) log.push({ platform, action, at, ...describe(record as SandboxPost) });
  };
  const journal = path === undefined ? null : openJournal(path);
  for (const line of journal?.lines ?? []) apply(line);
  let created = [...records.values()].filter(({ byHand }) => !byHand).length;
  const write = (line: JournalLine) => {
    // Written to the file first, so that a response implies that the change is stored.
    if (journal) writeSync(journal.file, `${JSON.stringify(line)}\n`);
    apply(line);
  };

  return {
    openTable<T extends { id: string }>(table: string, platform: SandboxPlatform): Table<T> {
      return {
        list: () =>
          [...records.values()].flatMap((line) => (line.table === table ? [line.record as unknown as T] : [])),
        get: (id) => records.get(`${table}/${id}`)?.record as T | undefined,
        save: (record, action) => write({ table, platform, record, action, at: now().toISOString() }),
        addManual(record) {
          const line = { table, platform, record, at: record.createdAt, byHand: true };
          if (!records.has(`${table}/${record.id}`)) write(line);
        },
      };
    },
    /** Performed actions, oldest first. */
    log: (): readonly LogEntry[] => log,
    /** All posts of any author, oldest first. */
    listPosts: () =>
      [...records.values()].flatMap(({ platform, record, byHand, at }) => {
        const { status = 'deleted' } = record;
        if (status === 'deleted') return [];
        return { platform, ...describe(record as SandboxPost), status, byHand, changedAt: at };
      }),
    /** A number that no post has had in any run. */
    nextId: (): number => ++created,
    close(): void {
      if (journal) closeSync(journal.file);
    },
  };
}

function describe({ account, id: remoteId, title, canonicalUrl }: SandboxPost) {
  return { account, remoteId, title, canonicalUrl };
}

/** Reads every complete line. Removes the last one if a kill cut it. */
function openJournal(path: string): { file: number; lines: JournalLine[] } {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'a+');
  const text = readFileSync(file, 'utf8');
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  ftruncateSync(file, Buffer.byteLength(complete));
  const lines = complete.split('\n').slice(0, -1);
  return {
    file,
    lines: lines.map((line, index) => {
      try {
        return JSON.parse(line) as JournalLine;
      } catch (error) {
        throw new Error(`${path}: line ${index + 1} is damaged`, { cause: error });
      }
    }),
  };
}
