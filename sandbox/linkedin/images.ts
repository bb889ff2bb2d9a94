/**
 * Simulates images for posts: announced, then uploaded as raw bytes. Stored until the process ends.
 */
import type { LinkedinAccount, SandboxContext } from '../context.ts';
import type { SandboxResponse } from '../faults.ts';
import { buildFailure, canPostAs } from './validation.ts';

export class LinkedinImages {
  /** By URN. True after the bytes were uploaded. */
  #images = new Map<string, boolean>();

  /** `POST /rest/images?action=initializeUpload`. */
  announce(sandbox: SandboxContext, account: LinkedinAccount, body: unknown): SandboxResponse {
    const request = (body as { initializeUploadRequest?: { owner?: unknown } } | null)?.initializeUploadRequest;
    const owner = String(request?.owner ?? '');
    if (!canPostAs(account, owner)) return buildFailure(403, 'ACCESS_DENIED', `Not permitted to upload for ${owner}`);
    const id = `C4E10AQ${this.#images.size}`;
    this.#images.set(`urn:li:image:${id}`, false);
    const value = {
      uploadUrlExpiresAt: sandbox.now().getTime() + 86_400_000,
      uploadUrl: `${sandbox.siteUrl()}/linkedin/dms-uploads/${id}`,
      image: `urn:li:image:${id}`,
    };
    return { status: 200, body: { value } };
  }

  /** `PUT` to the announced address. */
  receive(id: string, bytes: unknown): SandboxResponse {
    const urn = `urn:li:image:${id}`;
    if (!this.#images.has(urn)) return buildFailure(404, 'NOT_FOUND', 'No upload was announced here.');
    if (!Buffer.isBuffer(bytes) || bytes.length === 0)
      return buildFailure(400, 'INVALID_REQUEST', 'There are no bytes.');
    this.#images.set(urn, true);
    return { status: 201, body: '' };
  }

  isUploaded(urn: string): boolean {
    return this.#images.get(urn) ?? false;
  }
}
