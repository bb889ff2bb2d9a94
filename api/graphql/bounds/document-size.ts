/**
 * Counts the elements of a document before validation, which compares the fields of a selection
 * with each other and follows every fragment: its time grows with the square of these counts.
 */
import { BREAK, type DocumentNode, Kind, visit } from 'graphql';

const MAX_COUNTS = {
  [Kind.FIELD]: { max: 300, name: 'fields' },
  alias: { max: 50, name: 'aliases' },
  [Kind.FRAGMENT_SPREAD]: { max: 100, name: 'fragment spreads' },
  [Kind.INLINE_FRAGMENT]: { max: 100, name: 'inline fragments' },
  [Kind.FRAGMENT_DEFINITION]: { max: 30, name: 'fragments' },
  [Kind.OPERATION_DEFINITION]: { max: 20, name: 'operations' },
  [Kind.VARIABLE_DEFINITION]: { max: 50, name: 'variables' },
  [Kind.ARGUMENT]: { max: 300, name: 'arguments' },
  [Kind.DIRECTIVE]: { max: 50, name: 'directives' },
} as const;

/** Returns a message that names the exceeded limit; null if the document may be validated. */
export function findExcess(document: DocumentNode): string | null {
  const counts = new Map<string, number>();
  let excess: string | null = null;
  visit(document, {
    enter(node) {
      const kinds = node.kind === Kind.FIELD && node.alias ? [node.kind, 'alias'] : [node.kind];
      for (const kind of kinds) {
        const limit = MAX_COUNTS[kind as keyof typeof MAX_COUNTS];
        if (!limit) continue;
        const count = (counts.get(kind) ?? 0) + 1;
        counts.set(kind, count);
        if (count > limit.max) excess = `A document can have at most ${limit.max} ${limit.name}.`;
      }
      return excess === null ? undefined : BREAK;
    },
  });
  return excess;
}
