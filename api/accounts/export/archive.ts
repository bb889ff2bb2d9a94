/**
 * Lists the files of an export: a document per article and the other data of the account without
 * secrets. Publishing a document again updates the same article.
 */
import { formatImageName, type ImageName } from '../../../article/images/image-name.ts';
import { listConnections } from '../../../store/connections/list.ts';
import { listUndeletedCopies, type UndeletedCopy } from '../../../store/copies/copies.ts';
import type { Database } from '../../../store/db/database.ts';
import type { ImageStore } from '../../../store/images/files/image-store.ts';
import { readOwnImages } from '../../../store/images/own-images.ts';
import { listSeriesWithParts, readOwnArticles, readOwnComments } from '../../../store/users/export-rows.ts';
import { findOwnProfile } from '../../../store/users/profile.ts';
import type { ExportDocuments } from './documents.ts';
import { chooseFileName } from './file-name.ts';
import { buildReadme } from './readme.ts';
import type { ArchivedFile } from './zip.ts';

export interface ArchiveDeps {
  db: Database;
  documents: ExportDocuments;
  baseUrl: string;
  images: ImageStore;
}

const COPIES_PER_PAGE = 500;

export async function* listArchivedFiles(
  { db, documents, baseUrl, images }: ArchiveDeps,
  userId: string,
  now: Date,
): AsyncGenerator<ArchivedFile, void> {
  yield { path: 'README.md', changedAt: now, content: [buildReadme(baseUrl)] };
  yield { path: 'account.json', changedAt: now, content: [formatJson(await readAccount(db, userId))] };
  yield { path: 'comments.json', changedAt: now, content: writeJsonArray(readOwnComments(db, userId)) };
  yield { path: 'copies.json', changedAt: now, content: writeJsonArray(readCopies(db, userId)) };
  for await (const { slug, updatedAt, ...article } of readOwnArticles(db, userId)) {
    const path = `articles/${chooseFileName(slug, article.id)}`;
    yield { path, changedAt: updatedAt, content: [await documents.restore(userId, article)] };
  }
  yield* listImages(db, images, userId);
}

/**
 * Names each file after the last segment of the image's URL. LOST.txt lists images that are missing
 * from the store; they do not fail the export.
 */
async function* listImages(db: Database, images: ImageStore, userId: string): AsyncGenerator<ArchivedFile, void> {
  const lost: string[] = [];
  let changedAt = new Date(0);
  for await (const { createdAt, ...name } of readOwnImages(db, userId)) {
    changedAt = createdAt;
    const file = formatImageName(name);
    const isStored = await images.has(name);
    if (isStored) yield { path: `images/${file}`, changedAt, content: readImage(images, name), isCompressed: true };
    else lost.push(`${file}\n`);
  }
  if (lost.length > 0) yield { path: 'images/LOST.txt', changedAt, content: lost };
}

/** Opens the image only when the archive reads it. */
async function* readImage(images: ImageStore, name: ImageName): AsyncGenerator<Uint8Array> {
  const image = await images.open(name);
  if (image === null) throw new Error(`the picture ${name.hash} was deleted during the export`);
  yield* image.content;
}

async function readAccount(db: Database, userId: string) {
  const profile = await findOwnProfile(db, userId);
  const series = await listSeriesWithParts(db, userId);
  const connections = await listConnections(db, userId);
  return { profile, series, connections };
}

async function* readCopies(db: Database, userId: string) {
  for (let after: string | null = null; ; ) {
    const page: UndeletedCopy[] = await listUndeletedCopies(db, userId, { limit: COPIES_PER_PAGE, after });
    yield* page.map(({ key: _, ...copy }) => copy);
    if (page.length < COPIES_PER_PAGE) return;
    after = page.at(-1)?.key ?? null;
  }
}

async function* writeJsonArray(entries: AsyncIterable<unknown>): AsyncGenerator<string> {
  let prefix = '[\n';
  for await (const entry of entries) {
    yield prefix + JSON.stringify(entry);
    prefix = ',\n';
  }
  yield prefix === '[\n' ? '[]\n' : '\n]\n';
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
