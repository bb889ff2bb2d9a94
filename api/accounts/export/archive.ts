/**
 * Lists the files of an export: a document per article and the other data of the account without
 * secrets. Publishing a document again updates the same article.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredDraft } from '../../../article/export/stored-draft.ts';
import { writeDocument } from '../../../article/export/write-document.ts';
import { formatImageName, type ImageName } from '../../../article/images/image-name.ts';
import { listConnections } from '../../../store/connections/list.ts';
import { listUndeletedCopies, type UndeletedCopy } from '../../../store/copies/copies.ts';
import type { Database } from '../../../store/db/database.ts';
import type { ImageStore } from '../../../store/images/files/image-store.ts';
import {
  listSeriesWithParts,
  readOwnArticles,
  readOwnComments,
  readOwnImages,
} from '../../../store/users/export-rows.ts';
import { findOwnProfile } from '../../../store/users/profile.ts';
import type { ApiDeps } from '../../deps.ts';
import { DocumentsBusyError } from '../../documents/pool.ts';
import type { ArchivedFile } from './zip.ts';

const COPIES_PER_PAGE = 500;

export async function* listArchivedFiles(deps: ApiDeps, userId: string): AsyncGenerator<ArchivedFile, void> {
  const { db, images, config } = deps;
  const now = deps.now();
  yield { path: 'README.md', changedAt: now, content: [buildReadme(config.baseUrl)] };
  yield { path: 'account.json', changedAt: now, content: [formatJson(await readAccount(db, userId))] };
  yield { path: 'comments.json', changedAt: now, content: writeJsonArray(readOwnComments(db, userId)) };
  yield { path: 'copies.json', changedAt: now, content: writeJsonArray(readCopies(db, userId)) };
  for await (const { slug, updatedAt, ...article } of readOwnArticles(db, userId)) {
    const path = `articles/${chooseFileName(slug, article.id)}`;
    yield { path, changedAt: updatedAt, content: [await restore(deps, userId, article)] };
  }
  yield* listImages(db, images, userId);
}

/** Pauses before each repetition. The export shares its thread with previews. */
const BUSY_PAUSES_MS = [500, 2_000, 5_000];

async function restore({ documents, now }: ApiDeps, userId: string, article: StoredDraft): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await documents.restoreDocument(userId, article, now());
    } catch (error) {
      if (!(error instanceof DocumentsBusyError)) throw error;
      const pauseMs = BUSY_PAUSES_MS[attempt];
      // The export continues with the document as it is stored.
      if (pauseMs === undefined) return writeDocument(article);
      await sleep(pauseMs);
    }
  }
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
  yield '[';
  let separator = '\n';
  for await (const entry of entries) {
    yield separator + JSON.stringify(entry);
    separator = ',\n';
  }
  yield '\n]\n';
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** File systems allow 255 bytes. This leaves room for the id and the extension. */
const MAX_NAME_BYTES = 180;
/** Device names on Windows, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** The slug, which is unique, if it is a valid file name. Else its valid characters and the id. */
function chooseFileName(slug: string, articleId: string): string {
  const valid = slug.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-');
  const name = Buffer.byteLength(valid) > MAX_NAME_BYTES ? [...valid].slice(0, MAX_NAME_BYTES / 4).join('') : valid;
  const isSlug = name === slug && name === name.toLowerCase().normalize('NFC') && !DEVICES.test(name);
  return isSlug ? `${name}.md` : `${name}-${articleId}.md`;
}

function buildReadme(baseUrl: string): string {
  return `# Your data from ${baseUrl}

- \`articles/\`: each of your articles as Markdown with frontmatter, including drafts and scheduled ones.
- \`account.json\`: your profile, your series with their articles in order, and your connections without credentials.
- \`comments.json\`: your comments on articles.
- \`images/\`: the pictures that imports copied here, named after the last part of their addresses.
- \`copies.json\`: the known copies of your articles at other sites. \`isUncertain\` marks copies that may not exist.

## Publishing an article again

\`courant_id\` in each file identifies the article. Publishing a file from the same account updates that article. A file with the same content
changes nothing:

\`\`\`sh
courant publish articles/my-first-post.md
\`\`\`

To publish all files, ten per minute:

\`\`\`sh
for file in articles/*.md; do courant publish "$file"; sleep 6; done
\`\`\`

Publishing also delivers to the destinations under \`cross_post\` in the file. Content that a destination already has is not sent again. An article
that was never delivered to a connected destination (published with \`syndicationMode: "local"\`, or imported) is delivered. To store the
documents without deliveries, send them to \`POST ${baseUrl}/api/v1/articles\` with \`"syndicationMode": "local"\`.

In another account, \`courant_id\` matches no article at first. The first publish creates an article with it as the external id, so that
publishing twice creates only one article. Files refer to a series by title: create it first (\`createSeries\`), under the same title.
Other pictures stay at their addresses; the documents contain only the addresses.
`;
}
