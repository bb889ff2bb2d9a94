/**
 * Parses and formats the signing keys: one private JWK, or a JWKS (RFC 7517). The first key of a
 * set signs, and the others only verify.
 */
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/**
 * Returns null unless all keys are private ES256 keys. Errors are not passed on, because the
 * message of the JSON parser quotes the key.
 */
export function parsePrivateKeys(text: string): JWK[] | null {
  try {
    const value = JSON.parse(text) as JWK & { keys?: unknown };
    const keys: unknown[] = Array.isArray(value.keys) ? value.keys : [value];
    return keys.length > 0 && keys.every(isPrivateKey) ? keys : null;
  } catch {
    return null;
  }
}

export function formatPrivateKeys(keys: readonly JWK[]): string {
  return `${JSON.stringify({ keys })}\n`;
}

export async function createPrivateKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return exportJWK(privateKey);
}

function isPrivateKey(value: unknown): value is JWK {
  const jwk = value as Record<string, unknown> | null;
  return jwk?.kty === 'EC' && jwk.crv === 'P-256' && ['x', 'y', 'd'].every((part) => typeof jwk[part] === 'string');
}
