/** Checks this machine: Node.js, the builds, and disk space for pictures. */
import { existsSync } from 'node:fs';
import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { openImageStore } from '../../store/images/files/file-images.ts';
import { findWorkflowBundle } from '../../temporal/bundle/bundle.ts';
import type { Settings } from './check-settings.ts';
import { describe, type Finding, fail, ok, warn } from './finding.ts';

/** The first long-term version that runs TypeScript directly. */
const MIN_NODE_VERSION = 24;
const MIB = 1024 * 1024;

export function checkNode(version = process.versions.node): Finding {
  if (Number.parseInt(version, 10) >= MIN_NODE_VERSION) return ok('Node.js', `This is Node.js ${version}.`);
  return fail(
    'Node.js',
    `This is Node.js ${version}, which cannot run this code.`,
    `Install Node.js ${MIN_NODE_VERSION} or later.`,
  );
}

export async function checkBuilt({ home }: Pick<Settings, 'home'>): Promise<Finding[]> {
  const missing = ['site.css', 'site.js', 'desk.css', 'desk.js', 'write.css', 'write.js'].filter(
    (name) => !existsSync(new URL(`../../browser/dist/${name}`, import.meta.url)),
  );
  return [
    missing.length === 0
      ? ok('build', 'The scripts and style sheets of the pages are built.')
      : fail(
          'build',
          `browser/dist lacks ${missing.join(', ')}: pages have no styles or scripts.`,
          'Run `npm run build:browser`.',
        ),
    (await findWorkflowBundle(join(home, 'cache')))
      ? ok('build', 'The workflow bundle is built.')
      : warn(
          'build',
          'The workflow bundle of this release is not built yet.',
          'No action needed: the first worker builds it at start, which takes some seconds.',
        ),
  ];
}

export async function checkImages(settings: Settings): Promise<Finding[]> {
  try {
    if (settings.imagesS3 === null) await mkdir(settings.home, { recursive: true });
    await openImageStore(settings).check();
  } catch (error) {
    const advice = settings.imagesS3
      ? 'Correct the IMAGES_S3_… variables.'
      : 'Allow the user of these processes to write to COURANT_HOME.';
    return [fail('pictures', `The picture storage cannot be written to: ${describe(error)}`, advice)];
  }
  if (settings.imagesS3) return [ok('pictures', 'The bucket accepts pictures.')];
  const { bavail, blocks, bsize } = await statfs(settings.home);
  const [free, share] = [(bavail * bsize) / MIB, bavail / blocks];
  const message = `${Math.round(free)} MiB are free for pictures in ${settings.home} (${Math.round(share * 100)} %).`;
  const advice = 'Free some space, or store pictures in a bucket (IMAGES_S3_URL).';
  if (free < 100) return [fail('pictures', message, advice)];
  return [free < 1024 || share < 0.05 ? warn('pictures', message, advice) : ok('pictures', message)];
}
