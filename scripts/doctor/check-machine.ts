/** Checks this machine: Node.js, the build, and the storage for pictures. */
import { existsSync } from 'node:fs';
import { mkdir, statfs } from 'node:fs/promises';
import { openImageStore } from '../../store/images/files/file-images.ts';
import type { Settings } from './check-settings.ts';
import { createFindings, describe, type Finding } from './finding.ts';

/** The first long-term version that runs TypeScript directly. */
const MIN_NODE_VERSION = 24;
const MIB = 1024 * 1024;

export function checkNode(version = process.versions.node): Finding {
  const { ok, fail } = createFindings('Node.js');
  if (Number.parseInt(version, 10) >= MIN_NODE_VERSION) return ok(`This is Node.js ${version}.`);
  const message = `This is Node.js ${version}, which cannot run this code.`;
  return fail(message, `Install Node.js ${MIN_NODE_VERSION} or later.`);
}

export function checkBuilt(): Finding {
  const { ok, fail } = createFindings('build');
  const names = ['site.css', 'site.js', 'desk.css', 'desk.js', 'write.css', 'write.js'];
  const missing = names.filter((name) => !existsSync(new URL(`../../browser/dist/${name}`, import.meta.url)));
  if (missing.length === 0) return ok('The scripts and style sheets of the pages are built.');
  const message = `browser/dist lacks ${missing.join(', ')}: pages have no styles or scripts.`;
  return fail(message, 'Run `npm run build:browser`.');
}

export async function checkImages(settings: Settings): Promise<Finding> {
  const { ok, warn, fail } = createFindings('pictures');
  const { home, imagesS3 } = settings;
  try {
    if (imagesS3 === null) await mkdir(home, { recursive: true });
    await openImageStore(settings).check();
  } catch (error) {
    const inFolder = 'Allow the user of these processes to write to COURANT_HOME.';
    const advice = imagesS3 ? 'Correct the IMAGES_S3_… variables.' : inFolder;
    return fail(`The picture storage cannot be written to: ${describe(error)}`, advice);
  }
  if (imagesS3) return ok('The bucket accepts pictures.');
  const { bavail, bsize } = await statfs(home);
  const free = Math.round((bavail * bsize) / MIB);
  const message = `${free} MiB are free for pictures in ${home}.`;
  if (free >= 1024) return ok(message);
  const advice = 'Free some space, or store pictures in a bucket (IMAGES_S3_URL).';
  return free < 100 ? fail(message, advice) : warn(message, advice);
}
