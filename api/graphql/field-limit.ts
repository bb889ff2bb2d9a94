/** A validation rule that limits how many fields, aliases included, a document asks for. */
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
