/** Where copied pictures are kept, by their content: what is there never changes. */
import type { Readable } from 'node:stream';
import type { ImageName } from './image-name.ts';

export interface ImageStore {
  /** Keeps it for good before it resolves: after a crash it is there whole. Writing what is there already changes nothing. */
  put(name: ImageName, bytes: Uint8Array): Promise<void>;
  has(name: ImageName): Promise<boolean>;
  /** Null where it is not there. Whoever opens it reads or destroys the stream. */
  open(name: ImageName): Promise<OpenImage | null>;
  /** Nothing happens where it is not there. */
  remove(name: ImageName): Promise<void>;
  /** Writes something and takes it away again: throws where the settings or the rights are wrong, or nothing answers. */
  check(): Promise<void>;
}

export interface OpenImage {
  bytes: number;
  content: Readable;
}

/** All methods throw it. The message is for operators, and holds no secret. */
export class ImageStoreError extends Error {
  override name = 'ImageStoreError';
  /** The store refuses, or its settings are wrong: trying again changes nothing. */
  readonly isPermanent: boolean;

  constructor(message: string, options: { isPermanent: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.isPermanent = options.isPermanent;
  }
}
