/**
 * Stores the covers of the examples like copied pictures of an import: they belong to their author
 * and are removed with the last article that shows them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildImageUrl, nameImage } from '../../../article/images/image-name.ts';
import type { Database } from '../../../store/db/database.ts';
import { claimImage } from '../../../store/images/claim-image.ts';
import { openImageStore } from '../../../store/images/files/file-images.ts';
import type { StartSettings } from '../settings.ts';

/** Returns the address of the stored cover of `examples/<file>`; null if there is none. */
export type StoreCover = (file: string, username: string) => Promise<string | null>;

/** Stores nothing in a configured bucket, where demo pictures do not belong. */
export function openCovers(
  db: Database,
  { settings, root, env }: { settings: StartSettings; root: string; env: NodeJS.ProcessEnv },
): StoreCover {
  const images = openImageStore({ home: settings.home, imagesS3: null });
  return async (file, username) => {
    const path = join(root, 'examples', buildCoverPath(file));
    if (env.IMAGES_S3_URL || !existsSync(path)) return null;
    const bytes = readFileSync(path);
    const name = nameImage(bytes, 'png');
    const user = db.selectFrom('users').select('id').where('username', '=', username);
    const { id: authorId } = await user.executeTakeFirstOrThrow();
    const claim = { authorId, name, bytes: bytes.length, limitBytes: Number.MAX_SAFE_INTEGER, now: new Date() };
    if ((await claimImage(db, claim)).kind !== 'claimed') return null;
    await images.put(name, bytes);
    return buildImageUrl(settings.baseUrl, name);
  };
}

/** The path in the `cover_image` of the example. */
export function buildCoverPath(file: string): string {
  return `covers/${basename(file, '.md')}.png`;
}
