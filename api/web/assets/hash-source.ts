/** A Content-Security-Policy source that allows an inline element with exactly this text. */
import { createHash } from 'node:crypto';

export function hashSource(text: string): `'sha256-${string}'` {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
