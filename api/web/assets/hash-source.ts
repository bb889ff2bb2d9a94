/** Of a Content-Security-Policy: an element of exactly this text, at whichever page. */
import { createHash } from 'node:crypto';

export function hashSource(text: string): `'sha256-${string}'` {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
