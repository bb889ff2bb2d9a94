/** Reports, for a dry run, how keys outside of the specification were treated. */
import type { Notice } from '../types.ts';
import type { UsedAlias } from './aliases.ts';
import { showName } from './field-names.ts';
import type { FieldNode } from './field-node.ts';

/** Leaves out keys for which there are warnings already (`doubts`). */
export function listHints(others: [string, FieldNode][], aliases: UsedAlias[], doubts: Notice[]): Notice[] {
  const reported = new Set(
    [...aliases.map(({ node }) => node.place), ...doubts].map(({ line, column }) => `${line}:${column}`),
  );
  const used = new Set(aliases.map(({ key }) => key));
  const read = aliases.map(({ field, name, node }): Notice => {
    return {
      code: 'field_alias',
      path: showName(name),
      message: `${showName(name)} is read as ${field}.`,
      ...node.place,
    };
  });
  const unread = others
    .filter(([key, node]) => !used.has(key) && !reported.has(`${node.place.line}:${node.place.column}`))
    .map(([key, node]): Notice => {
      const path = showName(key);
      return { code: 'field_ignored', path, message: `${path} is ignored.`, ...node.place };
    });
  return [...read, ...unread];
}
