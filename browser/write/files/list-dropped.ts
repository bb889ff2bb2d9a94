/** The Markdown files among what was dropped or chosen, folders of folders too, and no more than can be looked through. */

export interface FoundFile {
  path: string;
  file: File;
}

export interface FoundFiles {
  files: FoundFile[];
  /** Files that are no Markdown, or are beyond the limit. */
  others: number;
  isCut: boolean;
}

const MOST_FILES = 500;
const MOST_ENTRIES = 20_000;
const MARKDOWN = /\.(?:md|mdx|markdown|mdown|mkd)$/i;
/** What tools keep beside texts. */
const SKIPPED = /^(?:\.|node_modules$|vendor$)/;

export function listChosen(files: Iterable<File>): FoundFiles {
  const found: FoundFiles = { files: [], others: 0, isCut: false };
  for (const file of files) add(found, file.webkitRelativePath || file.name, file);
  return sort(found);
}

/** To be called while the event is dispatched: afterwards its items are gone. */
export function listDropped(transfer: DataTransfer): Promise<FoundFiles> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return entries.length > 0 ? walk(entries) : Promise.resolve(listChosen(transfer.files));
}

async function walk(entries: FileSystemEntry[]): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], others: 0, isCut: false };
  const waiting = [...entries];
  for (let seen = 0; ; seen += 1) {
    const entry = waiting.shift();
    if (!entry) return sort(found);
    if (seen === MOST_ENTRIES) return sort({ ...found, isCut: true });
    const path = entry.fullPath.replace(/^\//, '');
    try {
      if (entry.isFile && MARKDOWN.test(path)) add(found, path, await getFile(entry as FileSystemFileEntry));
      else if (entry.isFile) found.others += 1;
      else if (!SKIPPED.test(entry.name)) waiting.push(...(await readFolder(entry as FileSystemDirectoryEntry)));
    } catch {
      // It may not be read, or is gone by now.
      found.others += 1;
    }
  }
}

function add(found: FoundFiles, path: string, file: File): void {
  const isSkipped = path.split('/').some((part) => SKIPPED.test(part));
  if (!isSkipped && MARKDOWN.test(path) && found.files.length < MOST_FILES) found.files.push({ path, file });
  else {
    found.others += 1;
    found.isCut ||= found.files.length === MOST_FILES;
  }
}

function sort(found: FoundFiles): FoundFiles {
  return { ...found, files: found.files.sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true })) };
}

function getFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** Browsers hand over a hundred at a time. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0 || all.length > MOST_ENTRIES) return all;
    all.push(...some);
  }
}
