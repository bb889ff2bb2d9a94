/**
 * Stores pictures as files, `ab/abcd….png`, in a local folder. Each is written to a temporary file,
 * synced and then renamed, so that a crash never leaves an incomplete picture.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { formatImageName, type ImageName } from '../../../article/images/image-name.ts';
import { type ImageStore, ImageStoreError } from './image-store.ts';
import { createS3Images, type S3Settings } from './s3-images.ts';

export function createFileImages(folder: string): ImageStore {
  const locate = (name: ImageName) => join(folder, name.hash.slice(0, 2), formatImageName(name));
  const incoming = join(folder, 'incoming');

  async function has(name: ImageName): Promise<boolean> {
    return (await nullIfAbsent(stat(locate(name)))) !== null;
  }

  return {
    has: (name) => withStoreErrors(has(name)),
    put: (name, bytes) =>
      withStoreErrors(
        (async () => {
          if (await has(name)) return;
          await writeDurably({ path: locate(name), temporaryPath: join(incoming, randomUUID()) }, bytes);
        })(),
      ),
    open: (name) =>
      withStoreErrors(
        (async () => {
          const file = await nullIfAbsent(open(locate(name)));
          if (file === null) return null;
          const { size } = await file.stat();
          return { bytes: size, content: file.createReadStream() };
        })(),
      ),
    remove: (name) => withStoreErrors(rm(locate(name), { force: true })),
    check: () =>
      withStoreErrors(
        (async () => {
          const temporaryPath = join(incoming, randomUUID());
          await mkdir(incoming, { recursive: true, mode: 0o700 });
          await removeOldTemporaryFiles(incoming);
          const file = await open(temporaryPath, 'wx', 0o600);
          await file.close();
          await rm(temporaryPath);
        })(),
      ),
  };
}

async function writeDurably(
  { path, temporaryPath }: { path: string; temporaryPath: string },
  bytes: Uint8Array,
): Promise<void> {
  const folder = dirname(path);
  const created = await mkdir(folder, { recursive: true, mode: 0o700 });
  await mkdir(dirname(temporaryPath), { recursive: true, mode: 0o700 });
  const file = await open(temporaryPath, 'wx', 0o600);
  try {
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
  await syncFolder(folder);
  if (created !== undefined) await syncFolder(dirname(folder));
}

/** Makes a rename durable. Windows syncs names itself and cannot open folders. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const MAX_TEMPORARY_AGE_MS = 3_600_000;

/** Removes temporary files of processes that ended during a write. */
async function removeOldTemporaryFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await nullIfAbsent(stat(path));
    if (found !== null && found.mtimeMs < Date.now() - MAX_TEMPORARY_AGE_MS) await rm(path, { force: true });
  }
}

async function nullIfAbsent<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const PERMANENT_CODES = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ELOOP']);

async function withStoreErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code = 'error', message } = error as NodeJS.ErrnoException;
    const isPermanent = PERMANENT_CODES.has(code);
    throw new ImageStoreError(`The picture folder cannot be used: ${message}`, { isPermanent, cause: error });
  }
}

/** `imagesS3` is null if pictures are stored as files in a folder of `home`. */
export function openImageStore({ home, imagesS3 }: { home: string; imagesS3: S3Settings | null }): ImageStore {
  return imagesS3 === null ? createFileImages(`${home}/images`) : createS3Images(imagesS3);
}
