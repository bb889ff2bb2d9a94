/** Registers the search attributes: the server rejects workflows with unregistered ones. */
import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../names.ts';

const KEYWORD = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;

/** Adds the missing ones and returns their names. Safe to run from several workers at once. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const missing = await listMissingAttributes(connection, namespace);
  if (missing.length > 0) {
    const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  }
  return missing;
}

export async function listMissingAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return SEARCH_ATTRIBUTE_NAMES.filter((name) => !(name in customAttributes));
}

export const SEARCH_ATTRIBUTE_NAMES = Object.values(SEARCH_ATTRIBUTES).map((key) => key.name);
