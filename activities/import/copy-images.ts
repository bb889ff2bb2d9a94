/**
 * Copies the pictures of a post. Does not fetch a copied picture again, so that an interrupted
 * import continues. A picture that cannot be fetched keeps its address, and the item has a warning.
 */
import { log } from '@temporalio/activity';
import pLimit from 'p-limit';
import { buildImageUrl, IMAGES_PATH, type ImageName, parseImageName } from '../../article/images/image-name.ts';
import type { Notice } from '../../article/types.ts';
import { retryLater } from '../../sources/fetch.ts';
import { type FetchedImage, fetchImage } from '../../sources/image.ts';
import type { SourceResult } from '../../sources/types.ts';
import { claimImage, findImageCopy, findImageSize, recordImageCopy } from '../../store/images/claim-image.ts';
import { ImageStoreError } from '../../store/images/files/image-store.ts';
import { MAX_ATTEMPTS_PER_ROUND } from '../../store/imports/progress.ts';
import type { ImportStep } from './step.ts';

const CONCURRENCY = 4;
/** Between requests to one host: about the rate of a reader's browser. */
const INTERVAL_MS = 50;
/** For one picture. */
const REQUEST_TIMEOUT_MS = 15_000;
/** For one post. Well below the activity's time-out; the next attempt fetches the missing ones. */
const MAX_POST_MS = 60_000;
/** Per post. */
const MAX_IMAGES = 200;
const MAX_ADDRESS_LENGTH = 2_000;
/** Further pictures are only counted, so that they do not hide other warnings. */
const MAX_WARNINGS = 20;

export interface CopiedImages {
  /** Maps old addresses to new ones. */
  copies: Map<string, string>;
  warnings: Notice[];
}

export interface PostImages {
  importId: string;
  authorId: string;
  addresses: readonly string[];
  retryPlan: ImageRetryPlan;
}

/** Our own outages and stops do not count as an attempt at the post (`fault: 'ours'`). */
export async function copyImages(step: ImportStep, images: PostImages): Promise<SourceResult<CopiedImages>> {
  try {
    return await copyAll(step, images);
  } catch (error) {
    if (!(error instanceof ImageStoreError)) throw error;
    log.warn('could not store a picture', { reason: error.message });
    return retryLater('The picture storage is unavailable.', null, 'ours');
  }
}

async function copyAll(
  step: ImportStep,
  { importId, authorId, addresses, retryPlan }: PostImages,
): Promise<SourceResult<CopiedImages>> {
  const { deps } = step;
  const until = performance.now() + MAX_POST_MS;
  const copies = new Map<string, string>();
  const uncopied: { address: string; reason: string }[] = [];
  const missing: (Missing & { address: string })[] = [];

  const copyInto = async (address: string, index: number): Promise<void> => {
    const bounds = { retryPlan, isLate: performance.now() > until, isTooMany: index >= MAX_IMAGES };
    const copied = await copyOne(step, { importId, authorId, address, ...bounds });
    if (copied.kind === 'done') copies.set(address, buildImageUrl(deps.baseUrl, copied.value));
    else if (copied.kind === 'refused') uncopied.push({ address, reason: copied.reason });
    else missing.push({ address, ...copied });
  };
  const limit = pLimit(CONCURRENCY);
  await Promise.all(addresses.map((address, index) => limit(() => copyInto(address, index))));

  // A stopping worker aborts the requests, which proves nothing about the pictures.
  if (missing.length > 0 && step.context.signal?.aborted) {
    return retryLater('The worker stopped while it copied pictures.', null, 'ours');
  }
  const retried = missing.find((picture) => shouldRetry(picture, retryPlan));
  if (retried) {
    const retryAfterMs = Math.max(retried.retryAfterMs ?? 0, retryPlan.pauseMs);
    return { kind: 'later', reason: retried.reason, retryAfterMs, fault: 'picture' };
  }
  return { kind: 'done', value: { copies, warnings: describeUncopied([...uncopied, ...missing]) } };
}

type Missing = Extract<SourceResult<never>, { kind: 'later' }>;

function shouldRetry({ fault }: Missing, { forBusy, forSilent }: ImageRetryPlan): boolean {
  return fault === 'silent' ? forSilent : forBusy;
}

interface PostImage {
  importId: string;
  authorId: string;
  address: string;
  retryPlan: ImageRetryPlan;
  isLate: boolean;
  isTooMany: boolean;
}

async function copyOne(
  step: ImportStep,
  { importId, authorId, address, ...bounds }: PostImage,
): Promise<SourceResult<ImageName>> {
  const { deps, context, pace, unavailableHosts } = step;
  const { db, now } = deps;
  if (bounds.isTooMany) return refuse(`At most ${MAX_IMAGES} pictures per post are copied.`);
  if (address.length > MAX_ADDRESS_LENGTH) return refuse('Its address is too long.');
  const imagesUrl = `${deps.baseUrl}${IMAGES_PATH}/`;
  if (address.startsWith(imagesUrl)) return share(step, authorId, parseImageName(address.slice(imagesUrl.length)));
  const known = await findImageCopy(db, { authorId, address, now: now() });
  // The store may have been restored from a backup or replaced.
  if (known && (await deps.images.has(known))) return { kind: 'done', value: known };
  if (bounds.isLate) return retryLater('Copying the pictures of the post took too long.');
  if (unavailableHosts.has(importId, address)) return refuse('Its server was unavailable or busy a short while ago.');
  await pace.wait(address, INTERVAL_MS);
  const fetched = await fetchImage(address, { ...context, timeoutMs: REQUEST_TIMEOUT_MS });
  if (fetched.kind === 'done') return storeImage(step, { authorId, address, image: fetched.value });
  const isUnavailable = fetched.kind === 'later' && !context.signal?.aborted;
  if (isUnavailable && !shouldRetry(fetched, bounds.retryPlan)) unavailableHosts.add(importId, address);
  return fetched;
}

/** A stored picture needs only a claim, so that it outlives the account that uploaded it. */
async function share({ deps }: ImportStep, authorId: string, name: ImageName | null): Promise<SourceResult<ImageName>> {
  const bytes = name && (await deps.images.has(name)) ? await findImageSize(deps.db, name) : null;
  if (name === null || bytes === null) return refuse('This site has no such picture.');
  return claim(deps, { authorId, name, bytes });
}

async function storeImage(
  { deps }: ImportStep,
  { authorId, address, image: { name, bytes } }: { authorId: string; address: string; image: FetchedImage },
): Promise<SourceResult<ImageName>> {
  const { db, images, now } = deps;
  const copy = { authorId, name, bytes: bytes.length };
  const claimed = await claim(deps, copy);
  if (claimed.kind !== 'done') return claimed;
  await images.put(name, bytes);
  const isRecorded = await recordImageCopy(db, { ...copy, address, now: now() });
  return isRecorded ? claimed : retryLater('The picture was deleted from this site in the meantime.', null, 'ours');
}

async function claim(
  { db, imagesLimit: limitBytes, now }: ImportStep['deps'],
  image: { authorId: string; name: ImageName; bytes: number },
): Promise<SourceResult<ImageName>> {
  const claimed = await claimImage(db, { ...image, limitBytes, now: now() });
  if (claimed.kind === 'claimed') return { kind: 'done', value: image.name };
  if (claimed.kind === 'busy') return retryLater('The picture is being deleted from this site.');
  return refuse(
    `Your pictures use ${claimed.usedBytes} of ${limitBytes} bytes, and this one needs ${image.bytes} more.`,
  );
}

function refuse(reason: string): Extract<SourceResult<never>, { kind: 'refused' }> {
  return { kind: 'refused', code: 'image_kept', reason };
}

function describeUncopied(uncopied: readonly { address: string; reason: string }[]): Notice[] {
  const warnings = uncopied.slice(0, MAX_WARNINGS).map(({ address, reason }): Notice => {
    return {
      code: 'image_kept',
      message: `The picture ${address.slice(0, 300)} was not copied, and the article still refers to this address. ${reason}`,
    };
  });
  const rest = uncopied.length - warnings.length;
  if (rest > 0) warnings.push({ code: 'image_kept', message: `${rest} more pictures were not copied.` });
  return warnings;
}

export const IMAGE_PAUSES_MS = [2_000, 20_000, 120_000];
/** For a host that does not respond at all: old posts often show pictures of closed sites. */
const MAX_PAUSES_WITHOUT_RESPONSE = 1;

export interface ImageRetryPlan {
  /** Before the next attempt, if there is one. */
  pauseMs: number;
  /** Whether to retry a busy host (`forBusy`) and one that does not respond (`forSilent`). */
  forBusy: boolean;
  forSilent: boolean;
}

/**
 * `attempts`: made before this one. The post of an unavailable picture first moves behind the other
 * posts, then the workflow pauses. In the end the picture keeps its address, and a further import
 * copies it.
 */
export function planImageRetries(attempts: number, pausesMs: readonly number[]): ImageRetryPlan {
  const paused = Math.max(0, attempts - MAX_ATTEMPTS_PER_ROUND);
  return {
    pauseMs: pausesMs[paused] ?? 0,
    forBusy: attempts < MAX_ATTEMPTS_PER_ROUND || paused < pausesMs.length,
    forSilent: attempts < MAX_ATTEMPTS_PER_ROUND || paused < MAX_PAUSES_WITHOUT_RESPONSE,
  };
}
