/**
 * Pictures as files, `ab/abcd….png`, in a folder of this machine. Each is written beside its place, brought to the disk and then named, so that no
 * crash leaves half of one under a name.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ImageName, writeImageName } from './image-name.ts';
import { type ImageStore, ImageStoreError } from './image-store.ts';

export function createFileImages(folder: string): ImageStore {
  const locate = (name: ImageName) => join(folder, name.hash.slice(0, 2), writeImageName(name));
  const incoming = join(folder, 'incoming');

  async function has(name: ImageName): Promise<boolean> {
    return (await absentAsNull(stat(locate(name)))) !== null;
  }

  return {
    has: (name) => explain(has(name)),
    put: (name, bytes) =>
      explain(
        (async () => {
          if (await has(name)) return;
          await writeDurably({ path: locate(name), draft: join(incoming, randomUUID()) }, bytes);
        })(),
      ),
    open: (name) =>
      explain(
        (async () => {
          const file = await absentAsNull(open(locate(name)));
          if (file === null) return null;
          const { size } = await file.stat();
          return { bytes: size, content: file.createReadStream() };
        })(),
      ),
    remove: (name) => explain(rm(locate(name), { force: true })),
    check: () =>
      explain(
        (async () => {
          const draft = join(incoming, randomUUID());
          await mkdir(incoming, { recursive: true, mode: 0o700 });
          await removeLeftOvers(incoming);
          const file = await open(draft, 'wx', 0o600);
          await file.close();
          await rm(draft);
        })(),
      ),
  };
}

async function writeDurably({ path, draft }: { path: string; draft: string }, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const created = await mkdir(folder, { recursive: true, mode: 0o700 });
  await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
  const file = await open(draft, 'wx', 0o600);
  try {
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
  if (created !== undefined) await syncFolder(dirname(folder));
}

/** A name lasts once its folder is on the disk. Windows keeps names by itself, and lets nobody open a folder. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const OLD_MS = 3_600_000;

/** Of processes that ended in the middle. */
async function removeLeftOvers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await absentAsNull(stat(path));
    if (found !== null && found.mtimeMs < Date.now() - OLD_MS) await rm(path, { force: true });
  }
}

async function absentAsNull<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const REFUSED = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ELOOP']);

async function explain<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code = 'error', message } = error as NodeJS.ErrnoException;
    const isPermanent = REFUSED.has(code);
    throw new ImageStoreError(`The folder of pictures cannot be used: ${message}`, { isPermanent, cause: error });
  }
}
