/** The store of copied pictures, addressed by content: a stored picture never changes. */
import type { Readable } from 'node:stream';
import type { ImageName } from '../../../article/images/image-name.ts';

export interface ImageStore {
  /** Resolves when the picture is durable. Does nothing if it is already stored. */
  put(name: ImageName, bytes: Uint8Array): Promise<void>;
  has(name: ImageName): Promise<boolean>;
  /** Null if absent. The caller must read or destroy the stream. */
  open(name: ImageName): Promise<OpenImage | null>;
  /** Does nothing if absent. */
  remove(name: ImageName): Promise<void>;
  /** Writes and removes a test object. Throws if settings, permissions or connection are wrong. */
  check(): Promise<void>;
}

export interface OpenImage {
  bytes: number;
  content: Readable;
}

/** Thrown by all methods. The message is for operators and contains no secret. */
export class ImageStoreError extends Error {
  override name = 'ImageStoreError';
  /** The store rejects the request or its settings are wrong, so a retry cannot succeed. */
  readonly isPermanent: boolean;

  constructor(message: string, options: { isPermanent: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.isPermanent = options.isPermanent;
  }
}
