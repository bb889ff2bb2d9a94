/**
 * Loads connections for the settings pages, and parses destinations and platforms in paths and
 * forms.
 */
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { findDestination } from '../../../destinations/clients.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import type { Platform } from '../../../destinations/types.ts';
import { listConnections } from '../../../store/connections/list.ts';
import { listConnectionUses } from '../../../store/connections/uses.ts';
import type { Database } from '../../../store/db/database.ts';
import { createNotFound } from '../../web/desk/not-found.ts';
import type { ShownConnection } from './connections-page.ts';

export async function listShownConnections(db: Database, userId: string): Promise<ShownConnection[]> {
  const [connections, uses] = await Promise.all([listConnections(db, userId), listConnectionUses(db, userId)]);
  return connections.flatMap((connection) => {
    const use = uses.find(({ destination }) => destination === connection.destination);
    const platform = findDestination(connection.platform)?.platform;
    return use && platform ? [{ ...connection, ...use, platform }] : [];
  });
}

export async function findShownConnection(
  db: Database,
  userId: string,
  key: DestinationKey,
): Promise<ShownConnection | undefined> {
  return (await listShownConnections(db, userId)).find(({ destination }) => destination === key);
}

export function readDestination(text: string): DestinationKey {
  const key = DESTINATION_KEYS.find((known) => known === text);
  if (key === undefined) throw createNotFound('This destination does not exist.');
  return key;
}

/** Defaults to the first platform of the destination. Throws a 404 for an unknown one. */
export function readPlatform(destination: DestinationKey, value: unknown): Platform {
  const platforms = PLATFORMS_BY_KEY[destination];
  const isNamed = value !== undefined && value !== '';
  const platform = isNamed ? platforms.find((candidate) => candidate === value) : platforms[0];
  if (platform === undefined) throw createNotFound('This destination does not support this platform.');
  return platform;
}
