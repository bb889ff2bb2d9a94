/** Lists the Markdown files among dropped or selected files and folders, up to a limit. */

export interface FoundFile {
  path: string;
  file: File;
}

export interface FoundFiles {
  files: FoundFile[];
  /** The number of files that are not Markdown or are beyond the limit. */
  others: number;
  isTruncated: boolean;
}

const MAX_FILES = 500;
const MAX_ENTRIES = 20_000;
const MARKDOWN = /\.(?:md|mdx|markdown|mdown|mkd)$/i;
/** Folders and files of tools. */
const SKIPPED = /^(?:\.|node_modules$|vendor$)/;

export function listChosen(files: Iterable<File>): FoundFiles {
  const found: FoundFiles = { files: [], others: 0, isTruncated: false };
  for (const file of files) add(found, file.webkitRelativePath || file.name, file);
  return sort(found);
}

/** Call it synchronously in the event handler: the browser clears the items afterwards. */
export function listDropped(transfer: DataTransfer): Promise<FoundFiles> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return entries.length > 0 ? walk(entries) : Promise.resolve(listChosen(transfer.files));
}

async function walk(entries: FileSystemEntry[]): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], others: 0, isTruncated: false };
  const queue = [...entries];
  for (let seen = 0; ; seen += 1) {
    const entry = queue.shift();
    if (!entry) return sort(found);
    if (seen === MAX_ENTRIES) return sort({ ...found, isTruncated: true });
    const path = entry.fullPath.replace(/^\//, '');
    try {
      if (entry.isFile && MARKDOWN.test(path)) add(found, path, await getFile(entry as FileSystemFileEntry));
      else if (entry.isFile) found.others += 1;
      else if (!SKIPPED.test(entry.name)) queue.push(...(await readFolder(entry as FileSystemDirectoryEntry)));
    } catch {
      // The file is not readable or was removed meanwhile.
      found.others += 1;
    }
  }
}

function add(found: FoundFiles, path: string, file: File): void {
  const isSkipped = path.split('/').some((part) => SKIPPED.test(part));
  if (!isSkipped && MARKDOWN.test(path) && found.files.length < MAX_FILES) found.files.push({ path, file });
  else {
    found.others += 1;
    found.isTruncated ||= found.files.length === MAX_FILES;
  }
}

function sort(found: FoundFiles): FoundFiles {
  return { ...found, files: found.files.sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true })) };
}

function getFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** `readEntries` returns at most 100 entries per call. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0 || entries.length > MAX_ENTRIES) return entries;
    entries.push(...batch);
  }
}
