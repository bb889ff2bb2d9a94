/** A validation rule: a document may ask for so many fields, aliases included, and no more (A12). */
import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';

const MAX_FIELDS = 300;

export function limitFields(context: ValidationContext): ASTVisitor {
  let fields = 0;
  return {
    Field(node) {
      fields += 1;
      if (fields === MAX_FIELDS + 1) {
        context.reportError(new GraphQLError(`A document may ask for ${MAX_FIELDS} fields at most.`, { nodes: node }));
      }
    },
  };
}
