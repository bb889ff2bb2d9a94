/**
 * Separates the fields of the specification from other entries, whatever the case of their keys: an
 * unread `Draft: true` makes an article public.
 */
import type { Notice } from '../types.ts';
import { FIELD_NAMES, normaliseName, showName } from './field-names.ts';
import type { FieldNode, Fields } from './field-node.ts';

export interface NamedFields {
  own: Fields;
  /** All other entries as written, with those that another spelling of their key overrides. */
  others: [string, FieldNode][];
  warnings: Notice[];
}

/** Of keys with a value, the specification's spelling counts, else the first in the file. */
export function nameFields(fields: Fields): NamedFields {
  const candidates = new Map<string, [string, FieldNode][]>();
  const named: NamedFields = { own: new Map(), others: [], warnings: [] };
  for (const entry of fields) {
    const name = normaliseName(entry[0]);
    if (!FIELD_NAMES.includes(name)) named.others.push(entry);
    else candidates.set(name, [...(candidates.get(name) ?? []), entry]);
  }
  for (const [name, entries] of candidates) {
    const winner = chooseEntry(name, entries);
    named.own.set(name, winner[1]);
    for (const loser of entries) {
      if (loser === winner || isNull(loser[1])) continue;
      named.others.push(loser);
      named.warnings.push({
        code: 'key_given_twice',
        path: name,
        message: `"${showName(loser[0])}" and "${showName(winner[0])}" are the same key; "${showName(winner[0])}" is used. Remove the other one.`,
        ...loser[1].place,
      });
    }
  }
  return named;
}

function chooseEntry(name: string, entries: [string, FieldNode][]): [string, FieldNode] {
  const filled = entries.filter(([, node]) => !isNull(node));
  const exact = filled.find(([key]) => key === name);
  return exact ?? filled[0] ?? (entries[0] as [string, FieldNode]);
}

function isNull(node: FieldNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}
