/** The credential of an `Authorization: Bearer` header (RFC 6750; the scheme is case-insensitive); null where there is none. */
export function readBearer(header: string | undefined): string | null {
  return /^bearer +([^\s,]+)$/i.exec(header?.trim() ?? '')?.[1] ?? null;
}
