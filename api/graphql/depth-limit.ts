/** A validation rule that limits how deep fields are nested. Introspection queries of tools are deeper and harmless, so they are exempt. */
import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';

const MAX_DEPTH = 12;

export function limitDepth(context: ValidationContext): ASTVisitor {
  let depth = 0;
  let introspecting = 0;
  return {
    Field: {
      enter(node) {
        depth += 1;
        if (node.name.value.startsWith('__')) introspecting += 1;
        if (depth !== MAX_DEPTH + 1 || introspecting > 0) return;
        context.reportError(new GraphQLError(`A document may nest fields ${MAX_DEPTH} deep at most.`, { nodes: node }));
      },
      leave(node) {
        depth -= 1;
        if (node.name.value.startsWith('__')) introspecting -= 1;
      },
    },
  };
}
