/**
 * Loads the ES256 keys of session and stream tokens from COURANT_JWT_KEY or a file in COURANT_HOME.
 * The first key signs. The others verify unexpired tokens that were issued before a key rotation.
 */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import { loadOrCreateKeyFile } from '../../../store/secrets/key-file.ts';

export interface KeyRing {
  signing: { key: CryptoKey; kid: string };
  /** Resolves the key by the `kid` of a token. */
  verifying: JWTVerifyGetKey;
  /** In the stored order, with the signing key first. */
  privateKeys: JWK[];
  /** Published at `/.well-known/jwks.json`. */
  publicKeys: JWK[];
}

export async function loadKeyRing(options: { home: string; key: string | undefined }): Promise<KeyRing> {
  const create = async () => formatPrivateKeys([await createPrivateKey()]);
  const privateKeys = parsePrivateKeys(
    options.key ?? (await loadOrCreateKeyFile(getSigningKeyFile(options.home), create)),
  );
  if (!privateKeys) throw new Error(`no private ES256 key found in ${getSigningKeyFile(options.home)}`);
  const publicKeys = await Promise.all(privateKeys.map(toPublicKey));
  const [privateKey, publicKey] = [privateKeys[0] as JWK, publicKeys[0] as JWK];
  const key = (await importJWK(privateKey, 'ES256')) as CryptoKey;
  const signing = { key, kid: publicKey.kid as string };
  return { signing, verifying: createLocalJWKSet({ keys: publicKeys }), privateKeys, publicKeys };
}

export function getSigningKeyFile(home: string): string {
  return join(home, 'keys', 'jwt.json');
}

/** Copies only the members that RFC 7518 defines as public, so that none is private. */
async function toPublicKey({ kty, crv, x, y }: JWK): Promise<JWK> {
  const key = { kty, crv, x, y } as JWK;
  return { ...key, kid: await calculateJwkThumbprint(key), alg: 'ES256', use: 'sig' };
}

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

export async function keySetRoutes(app: FastifyInstance, { keyRing }: { keyRing: KeyRing }) {
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300');
    return { keys: keyRing.publicKeys };
  });
}
