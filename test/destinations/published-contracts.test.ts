/** Checks every request of the clients against the interfaces that the real platforms publish. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buildSchema,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getVariableValues,
  isInputObjectType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { Check } from 'typebox/schema';
import { hashnodeSchema } from '../../sandbox/hashnode/schema.ts';
import { readShared, sharedPath } from '../support/shared-data.ts';
import { recordRequests } from './recorded-requests.ts';
import { foremRow } from './rows/forem.ts';
import { hashnodeRow } from './rows/hashnode.ts';

const openapi = sharedPath('contracts/forem-api-v1.json');

test('every Forem request matches Forem’s OpenAPI document', { skip: openapi.skip }, async (context) => {
  const api = JSON.parse(readShared('contracts/forem-api-v1.json'));
  const article = buildJsonSchema(api.components.schemas.Article);
  // The document types tags as a string. The code behind it, and the older document, accept a list
  // only.
  article.properties.article.properties.tags = { type: 'array', items: { type: 'string' } };
  article.properties.article.additionalProperties = false;
  const recorded = await recordRequests(context, foremRow);
  assert.equal(recorded.length, 8);
  for (const { method, path, headers, body } of recorded) {
    const { pathname, searchParams } = new URL(path.replace('/forem/api', ''), 'http://x');
    const operation = api.paths[pathname.replace(/\/\d+$/, '/{id}')]?.[method.toLowerCase()];
    assert.ok(operation, `${method} ${pathname}`);
    const known = (operation.parameters ?? []).map((parameter: { $ref?: string; name?: string }) =>
      parameter.$ref ? api.components.parameters[parameter.$ref.split('/').at(-1) ?? ''].name : parameter.name,
    );
    for (const name of searchParams.keys()) assert.ok(known.includes(name), `${name} of ${pathname}`);
    assert.ok(headers['user-agent'], 'Forem refuses clients without a name');
    assert.equal(headers.accept, 'application/vnd.forem.api-v1+json');
    assert.ok(headers['api-key']);
    if (body === undefined) continue;
    assert.equal(headers['content-type'], 'application/json');
    assert.ok(Check(article, body), JSON.stringify(body));
  }
  const updates = recorded.filter(
    ({ method, body }) =>
      method === 'PUT' && (body as { article: object }).article && 'title' in (body as { article: object }).article,
  );
  for (const { body } of updates) assert.ok(Array.isArray((body as { article: { tags: unknown } }).article.tags));
});

const sdl = sharedPath('contracts/hashnode.graphql');

test('every Hashnode request is valid against its schema, variables included', { skip: sdl.skip }, async (context) => {
  const real = buildSchema(readShared('contracts/hashnode.graphql'));
  const recorded = await recordRequests(context, hashnodeRow);
  assert.ok(recorded.length >= 6);
  for (const { method, headers, body } of recorded) {
    assert.equal(method, 'POST');
    assert.match(headers.authorization ?? '', /^Bearer \S+$/);
    const { query, variables } = body as { query: string; variables: Record<string, unknown> };
    const document = parse(query);
    assert.deepEqual(validate(real, document), [], query);
    const operation = document.definitions.find(
      (one) => one.kind === Kind.OPERATION_DEFINITION,
    ) as OperationDefinitionNode;
    const { errors } = getVariableValues(real, operation.variableDefinitions ?? [], variables);
    assert.equal(errors, undefined, JSON.stringify(errors));
    assert.ok(Buffer.byteLength(JSON.stringify(body)) < 100_000);
  }
});

test('the sandbox’s schema is a subset of Hashnode’s, with the same types', { skip: sdl.skip }, () => {
  const real = buildSchema(readShared('contracts/hashnode.graphql'));
  let compared = 0;
  for (const type of Object.values(hashnodeSchema.getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    const theirs = real.getType(type.name);
    assert.ok(theirs, type.name);
    assert.equal(theirs.constructor, type.constructor, type.name);
    if (isObjectType(type)) compared += compareObjects(type, theirs as GraphQLObjectType);
    if (isInputObjectType(type)) compared += compareInputs(type, theirs as GraphQLInputObjectType);
  }
  assert.ok(compared > 50);
  assertSameRequired(hashnodeSchema, real);
});

function compareObjects(ours: GraphQLObjectType, theirs: GraphQLObjectType): number {
  const fields = Object.values(ours.getFields());
  for (const field of fields) {
    const other = theirs.getFields()[field.name];
    assert.equal(String(other?.type), String(field.type), `${ours.name}.${field.name}`);
    for (const argument of field.args) {
      const match = other?.args.find(({ name }) => name === argument.name);
      assert.equal(String(match?.type), String(argument.type), `${ours.name}.${field.name}(${argument.name})`);
    }
  }
  return fields.length;
}

function compareInputs(ours: GraphQLInputObjectType, theirs: GraphQLInputObjectType): number {
  const fields = Object.values(ours.getFields());
  for (const field of fields) {
    assert.equal(String(theirs.getFields()[field.name]?.type), String(field.type), `${ours.name}.${field.name}`);
  }
  return fields.length;
}

/** The sandbox's inputs must include every field that the real schema requires. */
function assertSameRequired(ours: GraphQLSchema, theirs: GraphQLSchema): void {
  for (const type of Object.values(ours.getTypeMap())) {
    if (!isInputObjectType(type)) continue;
    const real = theirs.getType(type.name) as GraphQLInputObjectType;
    for (const field of Object.values(real.getFields())) {
      if (String(field.type).endsWith('!')) assert.ok(type.getFields()[field.name], `${type.name}.${field.name}`);
    }
  }
}

interface ArticleSchema {
  properties: { article: { additionalProperties?: boolean; properties: Record<string, object> } };
}

/** OpenAPI 3.0 uses `nullable`; JSON Schema lists the type. */
function buildJsonSchema(schema: unknown): ArticleSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    value !== null && typeof value === 'object' && value.nullable === true
      ? { ...value, type: [value.type, 'null'] }
      : value,
  );
}
