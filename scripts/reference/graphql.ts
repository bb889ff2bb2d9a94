/** Writes the page of the GraphQL schema. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { schema } from '../../api/app/graphql-schema.ts';
import { wrapText, writeCode, writeHead, writeTable } from './markdown.ts';

export function writeGraphqlPage(): string {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !roots.includes(type as never))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const head = writeHead(
    'GraphQL schema',
    'After reading this page you can look up every field, argument and type. [How to connect](README.md#graphql) ' +
      'describes requests and limits; [schema.graphql](schema.graphql) is the same schema for tools. The codes after ' +
      '“Errors” are explained in [errors](errors.md#refused-commands).',
  );
  return [
    head,
    EXAMPLE,
    ...writeRoot('Queries', schema.getQueryType()),
    ...writeRoot('Mutations', schema.getMutationType()),
    '## Types',
    ...types.filter((type) => isObjectType(type)).map(writeType),
    '## Inputs',
    ...types.filter((type) => isInputObjectType(type)).map(writeType),
    '## Enums',
    ...types.filter((type) => isEnumType(type)).map(writeType),
    '## Scalars',
    ...types.filter((type) => isScalarType(type)).map(writeType),
  ].join('\n\n');
}

const EXAMPLE =
  '```graphql\nquery { articles(first: 20) { edges { node { id title url } } pageInfo { endCursor } } }\n```';

function writeRoot(title: string, root: GraphQLObjectType | null | undefined): string[] {
  const fields = Object.values(root?.getFields() ?? {}).sort((a, b) => (a.name < b.name ? -1 : 1));
  return [`## ${title}`, ...fields.map(writeRootField)];
}

function writeRootField(field: GraphQLField<unknown, unknown>): string {
  const { name, args, type, description } = field;
  const parts = [`### ${name}`, writeDescription(`Returns \`${type}\`. ${description ?? ''}`)];
  if (args.length > 0) parts.push(writeTable(['Argument', 'Type', 'Meaning'], args.map(writeArgument)));
  return parts.join('\n\n');
}

function writeArgument({ name, type, description, defaultValue }: GraphQLArgument): string[] {
  const standard = defaultValue === undefined ? '' : ` Default: \`${JSON.stringify(defaultValue)}\`.`;
  return [writeCode(name), writeCode(String(type)), `${description ?? ''}${standard}`];
}

function writeType(type: GraphQLNamedType): string {
  const parts = [`### ${type.name}`, writeDescription(type.description ?? '')];
  if (isEnumType(type)) {
    const rows = type.getValues().map(({ name, description }) => [writeCode(name), description ?? '']);
    parts.push(writeTable(['Value', 'Meaning'], rows));
  } else if (isObjectType(type)) {
    parts.push(writeTable(['Field', 'Type', 'Meaning'], Object.values(type.getFields()).map(writeField)));
  } else if (isInputObjectType(type)) {
    parts.push(writeTable(['Field', 'Type', 'Meaning'], Object.values(type.getFields()).map(writeArgument)));
  }
  return parts.join('\n\n');
}

function writeField({ name, args, type, description }: GraphQLField<unknown, unknown>): string[] {
  const given = args.map((arg) => `${arg.name}: ${arg.type}`).join(', ');
  return [writeCode(given === '' ? name : `${name}(${given})`), writeCode(String(type)), description ?? ''];
}

/** Each line of a description is a paragraph. */
function writeDescription(text: string): string {
  return text
    .split('\n')
    .map((line) => wrapText(line))
    .join('\n\n');
}
