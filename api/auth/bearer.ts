/**
 * Returns the credential of an `Authorization: Bearer` header (RFC 6750), or null. The scheme is
 * case-insensitive.
 */
export function readBearer(header: string | undefined): string | null {
  return /^bearer +([^\s,]+)$/i.exec(header?.trim() ?? '')?.[1] ?? null;
}
