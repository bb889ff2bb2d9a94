/**
 * Copies the pictures of a post. What was copied before is not fetched again, so that an import that was cut goes on where it was. A picture that
 * cannot be had keeps its address, and the item says so.
 */
import { log } from '@temporalio/activity';
import pLimit from 'p-limit';
import type { Notice } from '../../article/types.ts';
import { buildImageUrl, IMAGES_PATH, type ImageName, readImageName } from '../../images/image-name.ts';
import { ImageStoreError } from '../../images/image-store.ts';
import { later } from '../../sources/fetch.ts';
import { type FetchedImage, fetchImage } from '../../sources/image.ts';
import type { Reading } from '../../sources/types.ts';
import { claimImage, findCopy, findSize, noteCopy } from '../../store/images/keep-image.ts';
import type { ImagePatience } from './image-patience.ts';
import type { ImportStep } from './step.ts';

const AT_ONCE = 4;
/** To one host, so that its pictures come as fast as to a reader, and no faster. */
const INTERVAL_MS = 50;
/** For one picture. */
const ASK_MS = 15_000;
/** For those of one post, well below the time-out of the activity; the next attempt has those that are missing. */
const ALTOGETHER_MS = 60_000;
/** Of one post. */
const MOST_IMAGES = 200;
const LONGEST_ADDRESS = 2_000;
/** More would hide the other warnings, so the rest is only counted. */
const MOST_WARNINGS = 20;

export interface CopiedImages {
  /** New addresses, by the old ones. */
  copies: Map<string, string>;
  warnings: Notice[];
}

export interface PostImages {
  importId: string;
  authorId: string;
  addresses: readonly string[];
  /** What is asked for no more keeps its address. */
  patience: ImagePatience;
}

/** Our own fault where our store is away, however often that was tried: nothing of the post is given up for that. */
export async function copyImages(step: ImportStep, images: PostImages): Promise<Reading<CopiedImages>> {
  try {
    return await copyAll(step, images);
  } catch (error) {
    if (!(error instanceof ImageStoreError)) throw error;
    log.warn('a picture could not be stored', { reason: error.message });
    return later('The store of pictures is not there at the moment.', null, 'ours');
  }
}

async function copyAll(
  step: ImportStep,
  { importId, authorId, addresses, patience }: PostImages,
): Promise<Reading<CopiedImages>> {
  const { deps } = step;
  const until = performance.now() + ALTOGETHER_MS;
  const copies = new Map<string, string>();
  const kept: { address: string; reason: string }[] = [];
  const missing: (Missing & { address: string })[] = [];

  const copyInto = async (address: string, index: number): Promise<void> => {
    const bounds = { patience, isLate: performance.now() > until, isTooMany: index >= MOST_IMAGES };
    const copied = await copyOne(step, { importId, authorId, address, ...bounds });
    if (copied.kind === 'done') copies.set(address, buildImageUrl(deps.baseUrl, copied.value));
    else if (copied.kind === 'refused') kept.push({ address, reason: copied.reason });
    else missing.push({ address, ...copied });
  };
  const limit = pLimit(AT_ONCE);
  await Promise.all(addresses.map((address, index) => limit(() => copyInto(address, index))));

  const awaited = missing.find((picture) => isAwaited(picture, patience));
  if (awaited) {
    const retryAfterMs = Math.max(awaited.retryAfterMs ?? 0, patience.pauseMs);
    return { kind: 'later', reason: awaited.reason, retryAfterMs, fault: 'picture' };
  }
  return { kind: 'done', value: { copies, warnings: describeKept([...kept, ...missing]) } };
}

type Missing = Extract<Reading<never>, { kind: 'later' }>;

function isAwaited({ fault }: Missing, { forBusy, forSilent }: ImagePatience): boolean {
  return fault === 'silent' ? forSilent : forBusy;
}

interface Wanted {
  importId: string;
  authorId: string;
  address: string;
  patience: ImagePatience;
  isLate: boolean;
  isTooMany: boolean;
}

async function copyOne(
  step: ImportStep,
  { importId, authorId, address, ...bounds }: Wanted,
): Promise<Reading<ImageName>> {
  const { deps, context, pace, awayHosts } = step;
  const { db, now } = deps;
  if (bounds.isTooMany) return refuse(`A post has at most ${MOST_IMAGES} pictures copied.`);
  if (address.length > LONGEST_ADDRESS) return refuse('Its address is too long.');
  const own = `${deps.baseUrl}${IMAGES_PATH}/`;
  if (address.startsWith(own)) return share(step, authorId, readImageName(address.slice(own.length)));
  const known = await findCopy(db, { authorId, address, now: now() });
  // Not where the store was set back, or is another one by now.
  if (known && (await deps.images.has(known))) return { kind: 'done', value: known };
  if (bounds.isLate) return later('The pictures of the post took too long.');
  if (awayHosts.has(importId, address)) return refuse('Its server was away or busy all the time a short while ago.');
  await pace.wait(address, INTERVAL_MS);
  const fetched = await fetchImage(address, { ...context, timeoutMs: ASK_MS });
  if (fetched.kind === 'done') return keep(step, { authorId, address, image: fetched.value });
  if (fetched.kind === 'later' && !isAwaited(fetched, bounds.patience)) awayHosts.add(importId, address);
  return fetched;
}

/** What is here already needs no copy, but it has to outlive the account that it was copied for. */
async function share({ deps }: ImportStep, authorId: string, name: ImageName | null): Promise<Reading<ImageName>> {
  const bytes = name && (await deps.images.has(name)) ? await findSize(deps.db, name) : null;
  if (name === null || bytes === null) return refuse('There is no such picture here.');
  return claim(deps, { authorId, name, bytes });
}

async function keep(
  { deps }: ImportStep,
  { authorId, address, image: { name, bytes } }: { authorId: string; address: string; image: FetchedImage },
): Promise<Reading<ImageName>> {
  const { db, images, now } = deps;
  const copy = { authorId, name, bytes: bytes.length };
  const claimed = await claim(deps, copy);
  if (claimed.kind !== 'done') return claimed;
  await images.put(name, bytes);
  const isNoted = await noteCopy(db, { ...copy, address, now: now() });
  return isNoted ? claimed : later('The picture was deleted here meanwhile.', null, 'ours');
}

async function claim(
  { db, imagesLimit: limitBytes, now }: ImportStep['deps'],
  wanted: { authorId: string; name: ImageName; bytes: number },
): Promise<Reading<ImageName>> {
  const claimed = await claimImage(db, { ...wanted, limitBytes, now: now() });
  if (claimed.kind === 'claimed') return { kind: 'done', value: wanted.name };
  if (claimed.kind === 'busy') return later('The picture is being deleted here.');
  return refuse(
    `Your pictures hold ${claimed.usedBytes} bytes, of ${limitBytes} that you may keep here, and this one has ${wanted.bytes} more.`,
  );
}

function refuse(reason: string): Extract<Reading<never>, { kind: 'refused' }> {
  return { kind: 'refused', code: 'image_kept', reason };
}

function describeKept(kept: readonly { address: string; reason: string }[]): Notice[] {
  const warnings = kept.slice(0, MOST_WARNINGS).map(({ address, reason }): Notice => {
    return { code: 'image_kept', message: `The picture ${address.slice(0, 300)} stays where it is. ${reason}` };
  });
  const rest = kept.length - warnings.length;
  if (rest > 0) warnings.push({ code: 'image_kept', message: `${rest} more pictures stay where they are.` });
  return warnings;
}
