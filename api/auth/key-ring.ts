/** The key that signs session and stream tokens: ES256, from COURANT_JWT_KEY (a private JWK) or a file in COURANT_HOME. */
import { join } from 'node:path';
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { loadOrCreateKeyFile } from '../../store/secrets/key-file.ts';

export interface SigningKey {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  /** For `/.well-known/jwks.json`. */
  publicJwk: JWK;
  kid: string;
}

export async function loadSigningKey(options: { home: string; key: string | undefined }): Promise<SigningKey> {
  const text = options.key ?? (await loadOrCreateKeyFile(join(options.home, 'keys', 'jwt.json'), createPrivateJwk));
  const jwk = JSON.parse(text) as JWK;
  const { d: _, ...publicPart } = jwk;
  const kid = await calculateJwkThumbprint(publicPart);
  return {
    privateKey: await importKey(jwk),
    publicKey: await importKey(publicPart),
    publicJwk: { ...publicPart, kid, alg: 'ES256', use: 'sig' },
    kid,
  };
}

async function createPrivateJwk(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return JSON.stringify(await exportJWK(privateKey));
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256');
  if (key instanceof Uint8Array) throw new Error('COURANT_JWT_KEY must be an ES256 key, not a symmetric one');
  return key;
}
