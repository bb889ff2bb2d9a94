/** Builds a request that calls one root field with a value for each argument. */
import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';

type RootField = Pick<GraphQLField<unknown, unknown>, 'name' | 'args' | 'type'>;

/** `text` is the value of every string argument. */
export function writeFilledCall(root: 'Query' | 'Mutation', { name, args, type }: RootField, text: string) {
  const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const call = args.length === 0 ? name : `${name}(${passed})`;
  const below = isLeafType(getNamedType(type)) ? '' : '{ __typename }';
  return {
    query: `${root.toLowerCase()} ${declared && `(${declared})`} { ${call} ${below} }`,
    variables: Object.fromEntries(args.map((arg) => [arg.name, fillType(arg.type, text)])),
  };
}

function fillType(type: GraphQLInputType, text: string): unknown {
  if (isNonNullType(type)) return fillType(type.ofType, text);
  if (isListType(type)) return [fillType(type.ofType, text)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    return Object.fromEntries(Object.values(type.getFields()).map((field) => [field.name, fillType(field.type, text)]));
  }
  if (String(type) === 'Boolean') return true;
  return String(type) === 'Int' ? 7 : text;
}
