/** Builds the query that selects everything below a root field. */
import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { schema } from '../../../../api/app/graphql-schema.ts';

/** Returns the fields of a root type. */
export function listRootFields(root: 'Query' | 'Mutation') {
  const type = root === 'Query' ? schema.getQueryType() : schema.getMutationType();
  return Object.values(type?.getFields() ?? {});
}

/** `call` is the field with its arguments. A type is not selected again below itself. */
export function writeDeepestQuery(field: string, call: string): string {
  const type = schema.getQueryType()?.getFields()[field]?.type;
  if (!type) throw new Error(`there is no query ${field}`);
  const named = getNamedType(type);
  return `{ ${call} ${isObjectType(named) ? writeSelection(named, []) : ''} }`;
}

function writeSelection(type: GraphQLObjectType, above: readonly GraphQLObjectType[]): string {
  const fields = Object.values(type.getFields()).flatMap(({ name, type: fieldType, args }) => {
    if (args.some(({ type: argType, defaultValue }) => String(argType).endsWith('!') && defaultValue === undefined)) {
      throw new Error(`${type}.${name} needs arguments, which this test cannot give`);
    }
    const named = getNamedType(fieldType);
    if (!isObjectType(named)) return [name];
    return named === type || above.includes(named) ? [] : [`${name} ${writeSelection(named, [...above, type])}`];
  });
  return `{ ${fields.join(' ')} }`;
}
