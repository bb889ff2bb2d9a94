/**
 * Counts what is written in a document, before it is validated: validation compares the fields of a selection with each other and follows every
 * fragment, so that its time grows with the square of what is bounded here.
 */
import { BREAK, type DocumentNode, Kind, visit } from 'graphql';

const MOST = {
  [Kind.FIELD]: { most: 300, name: 'fields' },
  alias: { most: 50, name: 'aliases' },
  [Kind.FRAGMENT_SPREAD]: { most: 100, name: 'fragment spreads' },
  [Kind.INLINE_FRAGMENT]: { most: 100, name: 'inline fragments' },
  [Kind.FRAGMENT_DEFINITION]: { most: 30, name: 'fragments' },
  [Kind.OPERATION_DEFINITION]: { most: 20, name: 'operations' },
  [Kind.VARIABLE_DEFINITION]: { most: 50, name: 'variables' },
  [Kind.ARGUMENT]: { most: 300, name: 'arguments' },
  [Kind.DIRECTIVE]: { most: 50, name: 'directives' },
} as const;

/** What there is too much of, for people; null where the document may be validated. */
export function findExcess(document: DocumentNode): string | null {
  const counts = new Map<string, number>();
  let excess: string | null = null;
  visit(document, {
    enter(node) {
      const kinds = node.kind === Kind.FIELD && node.alias ? [node.kind, 'alias'] : [node.kind];
      for (const kind of kinds) {
        const limit = MOST[kind as keyof typeof MOST];
        if (!limit) continue;
        const count = (counts.get(kind) ?? 0) + 1;
        counts.set(kind, count);
        if (count > limit.most) excess = `A document may have ${limit.most} ${limit.name} at most.`;
      }
      return excess === null ? undefined : BREAK;
    },
  });
  return excess;
}
