/**
 * Validates the platform, the credential fields and the address of a connect request. Sends
 * nothing.
 */
import type { DestinationKey } from '../../article/types.ts';
import { findDestinationForKey } from '../../destinations/clients.ts';
import { checkAddress, RefusedAddressError } from '../../destinations/http/address-guard.ts';
import { PLATFORMS_BY_KEY } from '../../destinations/platforms.ts';
import type { Destination } from '../../destinations/types.ts';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { ApiConfig } from '../config.ts';

const MAX_CREDENTIAL_CHARACTERS = 8_192;
const MAX_ADDRESS_CHARACTERS = 2_000;

/** `platform` is optional where the key has one platform. Throws BAD_PLATFORM. */
export function findAdapter({
  destination,
  platform,
}: {
  destination: DestinationKey;
  platform?: string | null | undefined;
}): Destination {
  const platforms = PLATFORMS_BY_KEY[destination];
  const requested = platform ?? (platforms.length === 1 ? platforms[0] : null);
  const adapter = requested ? findDestinationForKey(destination, requested) : null;
  if (adapter) return adapter;
  const message = `The platforms of ${destination} are: ${platforms.join(', ')}. Specify one with platform.`;
  throw new RefusedCommandError('BAD_PLATFORM', message, 'platform');
}

/** Returns the fields trimmed, without empty ones. Throws BAD_CREDENTIALS. */
export function checkCredentials(adapter: Destination, fields: Record<string, string>): Record<string, string> {
  const fieldNames = adapter.connection.fields.map(({ name }) => name);
  const unknownName = Object.keys(fields).find((name) => !fieldNames.includes(name));
  if (unknownName !== undefined) {
    const message = `The fields of ${adapter.label} are ${fieldNames.join(', ')}; "${unknownName.slice(0, 50)}" is not one of them.`;
    throw new RefusedCommandError('BAD_CREDENTIALS', message, 'credentials');
  }
  const credentials = Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );
  const missing = adapter.connection.fields
    .filter(({ name, isOptional }) => !isOptional && credentials[name] === undefined)
    .map(({ name }) => name);
  if (missing.length > 0) {
    const message = `${adapter.label} requires ${missing.join(' and ')}.`;
    throw new RefusedCommandError('BAD_CREDENTIALS', message, `credentials.${missing[0]}`);
  }
  const invalidName = fieldNames.find((name) => !/^[\x20-\x7e]{0,8192}$/.test(credentials[name] ?? ''));
  if (invalidName !== undefined) {
    const message = `${invalidName} contains invalid characters, or more than ${MAX_CREDENTIAL_CHARACTERS} characters. Copy it again.`;
    throw new RefusedCommandError('BAD_CREDENTIALS', message, `credentials.${invalidName}`);
  }
  return credentials;
}

/**
 * Returns the address, or the platform's default, normalised so that one site has one spelling.
 * Throws BAD_ADDRESS.
 */
export function checkBaseUrl(
  { allowPrivate }: Pick<ApiConfig, 'allowPrivate'>,
  adapter: Destination,
  baseUrl: string | null | undefined,
): string {
  const address = baseUrl?.trim() || adapter.connection.defaultBaseUrl;
  if (address === null) {
    throw new RefusedCommandError(
      'BAD_ADDRESS',
      `The address of your ${adapter.label} site is missing. Enter it.`,
      'baseUrl',
    );
  }
  // The URL parser ignores these characters; other parsers of the address do not.
  if (/[\s\p{Cc}]/u.test(address) || address.length > MAX_ADDRESS_CHARACTERS) {
    throw new RefusedCommandError('BAD_ADDRESS', 'The address is not a valid URL.', 'baseUrl');
  }
  try {
    return adapter.normalizeBaseUrl(checkAddress(address, { allowPrivate }).href);
  } catch (error) {
    if (!(error instanceof RefusedAddressError)) throw error;
    throw new RefusedCommandError('BAD_ADDRESS', error.message, 'baseUrl');
  }
}
