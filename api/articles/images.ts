/**
 * Serves copied pictures at content addresses, cacheable forever. Their types were detected from
 * their first bytes; the CSP sandbox is a second defence.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { IMAGES_PATH, parseImageName } from '../../article/images/image-name.ts';
import { IMAGE_TYPES } from '../../article/images/image-types.ts';
import { type ImageStore, ImageStoreError } from '../../store/images/files/image-store.ts';
import { matchVersion } from '../http-cache/preconditions.ts';
import { ProblemError } from '../plugins/errors/problem.ts';

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  // Copies of the article at other sites embed the picture.
  'cross-origin-resource-policy': 'cross-origin',
};

export async function imageRoutes(app: FastifyInstance, { images }: { images: ImageStore }) {
  app.get<{ Params: { name: string } }>(`${IMAGES_PATH}/:name`, async (request, reply) => {
    const name = parseImageName(request.params.name);
    const isStored = name !== null && (await explainStoreError(images.has(name)));
    if (!isStored) return reply.callNotFound();
    const etag = `"${name.hash}"`;
    const addHeaders = () => reply.headers({ ...HEADERS, etag }).type(IMAGE_TYPES[name.type]);
    if (matchVersion(request.headers, { etag, lastModified: 0 })) return addHeaders().code(304).send();
    const image = await explainStoreError(images.open(name));
    if (image === null) return reply.callNotFound();
    addHeaders().header('content-length', image.bytes);
    if (request.method !== 'HEAD') return reply.send(image.content);
    image.content.destroy();
    // An empty stream: its length is unknown, so `content-length` stays that of the image.
    return reply.send(Readable.from([]));
  });
}

async function explainStoreError<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    if (!(error instanceof ImageStoreError)) throw error;
    throw new ProblemError(503, 'images_unavailable', 'The image store is unavailable. Try again in a moment.', {
      headers: { 'retry-after': '5' },
    });
  }
}
