/** Tests the limits of a GraphQL document and of its response, each at its boundary and above it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { buildSchema, execute, GraphQLError, parse } from 'graphql';
import { registerBounds } from '../../../api/graphql/bounds/register.ts';
import { createResponseMeter, meterResponses } from '../../../api/graphql/bounds/response-meter.ts';
import { createInputError } from '../../../api/graphql/errors.ts';
import { formatGraphqlResponse } from '../../../api/graphql/format-response.ts';
import { pageCost, readPage } from '../../../api/graphql/pages.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';

type Hook = (...args: unknown[]) => Promise<void>;

/** Runs both checks of a document. Resolves to the code and message of its rejection, or null. */
async function check(query: string, { session = null as object | null } = {}): Promise<[string, string] | null> {
  const schema = buildSchema('type Query { me: Person, id(a: Int): String } type Person { me: Person, id: String }');
  const hooks: Record<string, Hook> = {};
  const addHook = (name: string, hook: Hook) => {
    hooks[name] = hook;
  };
  registerBounds({ graphql: { addHook } } as unknown as FastifyInstance, { schema, introspection: 'signed-in' });
  const document = parse(query);
  try {
    await hooks.preValidation?.(schema, document);
    await hooks.preExecution?.(schema, document, { request: { body: {}, session } }, {});
    return null;
  } catch (error) {
    const { message, errors } = error as { message: string; errors: GraphQLError[] };
    assert.equal((error as { statusCode: number }).statusCode, 400);
    return [String(errors[0]?.extensions.code), message];
  }
}

const repeat = (count: number, write: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => write(n)).join(' ');

test('a document has at most the allowed number of each part', async () => {
  for (const [name, max, build] of [
    ['fields', 300, (count) => `{ ${repeat(count, () => 'id')} }`],
    ['aliases', 50, (count) => `{ ${repeat(count, (n) => `a${n}: id`)} }`],
    ['fragment spreads', 100, (count) => `{ ${repeat(count, () => '...F')} } fragment F on Query { id }`],
    ['inline fragments', 100, (count) => `{ ${repeat(count, () => '... on Query { id }')} }`],
    ['fragments', 30, (count) => `{ id } ${repeat(count, (n) => `fragment F${n} on Query { id }`)}`],
    ['operations', 20, (count) => repeat(count, (n) => `query Q${n} { id }`)],
    ['variables', 50, (count) => `query (${repeat(count, (n) => `$v${n}: Int`)}) { id }`],
    ['arguments', 300, (count) => `{ id(${repeat(count, () => 'a: 1')}) }`],
    ['directives', 50, (count) => `{ id ${repeat(count, () => '@include(if: true)')} }`],
  ] as [string, number, (count: number) => string][]) {
    assert.equal(await check(build(max)), null, name);
    const message = `A document can have at most ${max} ${name}.`;
    assert.deepEqual(await check(build(max + 1)), ['TOO_LARGE', message]);
  }
});

test('a document nests at most 12 fields, and reads the schema only with a session', async () => {
  const nest = (depth: number) => `{ ${'me { '.repeat(depth - 1)} id ${'}'.repeat(depth)}`;
  assert.equal(await check(nest(12)), null);
  assert.deepEqual(await check(nest(13)), ['TOO_DEEP', 'A document can nest fields at most 12 levels deep.']);
  const off = [
    'INTROSPECTION_OFF',
    'Introspection requires a session. The schema is also in docs/reference/schema.graphql of the source.',
  ];
  assert.deepEqual(await check('{ __schema { queryType { name } } }'), off);
  assert.deepEqual(await check('{ __type(name: "Query") { name kind description specifiedByURL } }'), off);
  assert.equal(await check('{ __typename __type(name: "Query") { name } }'), null);
  assert.equal(await check('{ __schema { queryType { name } } }', { session: {} }), null);
});

test('a response is limited in time and size', async () => {
  const info = (operation: string, prev: object | undefined) => ({ operation: { operation }, path: { prev } }) as never;
  const late = createResponseMeter({ ms: 0, characters: 0 });
  assert.throws(() => late.checkTime(info('query', undefined)), {
    message:
      'The request took longer than 0 seconds. Fields that had not started by then were not executed. Request less at once.',
  });
  assert.throws(() => late.count(['x']), { message: 'The response is too large. Request less at once.' } as Error);
  const meter = createResponseMeter();
  meter.checkTime(info('query', undefined));
  meter.count('x'.repeat(4 * 2 ** 20));
  assert.throws(() => meter.count(1), { extensions: { code: 'TOO_LARGE' } });
});

test('values of every field count, whether they are ready at once or later', async () => {
  const schema = meterResponses(buildSchema('type Query { now: String, later: [String], me: Query }'));
  const counted: unknown[] = [];
  let checks = 0;
  const meter = { checkTime: () => void checks++, count: (value: unknown) => counted.push(value) };
  const me = { now: 'a', later: () => Promise.resolve(['b', 'c']) };
  const result = await execute({
    ...{ schema, document: parse('{ me { now later } __typename }') },
    ...{ rootValue: { me }, contextValue: { meter } },
  });
  assert.deepEqual(JSON.parse(JSON.stringify(result)), {
    data: { me: { now: 'a', later: ['b', 'c'] }, __typename: 'Query' },
  });
  assert.deepEqual([counted, checks], [['a', ['b', 'c']], 3]);
});

test('a page costs as much as its entries, and has between 1 and 100', async () => {
  const costs = [undefined, null, 1, 0, -5, 100, 101].map((first) => pageCost({ first }).multiplier);
  assert.deepEqual(costs, [20, 20, 1, 1, 1, 100, 100]);
  const loads: unknown[] = [];
  const read = (args: { first?: number | null; after?: string | null }, list = ['numbers']) =>
    readPage<{ n: number }, { n: number }>({
      ...{ args, list },
      readPosition: ({ n }) => (typeof n === 'number' ? { n } : null),
      load: async (limit, after) => {
        loads.push([limit, after]);
        const from = after?.n ?? 0;
        return [1, 2, 3].map((step) => ({ n: from + step })).slice(0, limit);
      },
      locate: ({ n }) => ({ n }),
    });
  const { edges, pageInfo } = await read({ first: 2 });
  assert.deepEqual(
    edges.map(({ node }) => node),
    [{ n: 1 }, { n: 2 }],
  );
  const [startCursor, endCursor] = edges.map(({ cursor }) => cursor);
  assert.deepEqual(pageInfo, { hasNextPage: true, hasPreviousPage: false, startCursor, endCursor });
  const next = await read({ after: endCursor ?? '' });
  assert.deepEqual([next.pageInfo.hasNextPage, next.pageInfo.hasPreviousPage], [false, true]);
  assert.deepEqual(loads, [
    [3, null],
    [21, { n: 2 }],
  ]);
  for (const first of [0, 101])
    await assert.rejects(read({ first }), {
      ...{ message: 'first must be 1 to 100.', extensions: { code: 'BAD_INPUT', field: 'first' } },
    });
  await assert.rejects(read({ after: 'x' }), {
    message: 'after is not a cursor. Use endCursor of the previous page.',
    extensions: { code: 'BAD_CURSOR', field: 'after' },
  });
  await assert.rejects(read({ after: endCursor ?? '' }, ['others']), {
    message: 'The cursor belongs to another list, or to this one with other arguments. Start without after.',
    extensions: { code: 'BAD_CURSOR', field: 'after' },
  });
});

test('an error for the client is sent with its code, and any other without its details', () => {
  const logged: unknown[] = [];
  const log = { error: (...args: unknown[]) => logged.push(args) };
  const context = { request: { id: 'req-1', log } } as unknown as Parameters<typeof formatGraphqlResponse>[1];
  const format = (originalError: Error | undefined, message = 'Given.', path: string[] | undefined = ['me']) => {
    const error = new GraphQLError(message, { ...(path && { path }), ...(originalError && { originalError }) });
    const { statusCode, response } = formatGraphqlResponse({ data: { me: null }, errors: [error] }, context);
    return [statusCode, JSON.parse(JSON.stringify(response))];
  };
  const failed = (message: string, extensions: object) => [
    200,
    { data: { me: null }, errors: [{ message, path: ['me'], extensions }] },
  ];
  assert.deepEqual(
    format(new RefusedCommandError('NOT_FOUND', 'x', 'id')),
    failed('Given.', { code: 'NOT_FOUND', field: 'id' }),
  );
  assert.deepEqual(format(new RefusedCommandError('NOT_FOUND', 'x')), failed('Given.', { code: 'NOT_FOUND' }));
  assert.deepEqual(
    format(createInputError([{ path: 'a', message: 'is b' }])),
    failed('Given.', { code: 'BAD_INPUT', errors: [{ path: 'a', message: 'is b' }] }),
  );
  assert.equal(
    createInputError([
      { path: 'a', message: 'is b' },
      { path: 'c', message: 'is d' },
    ]).message,
    'a is b; c is d',
  );
  assert.deepEqual(logged, []);
  const [status, body] = format(new Error('a secret'));
  assert.deepEqual([status, body.errors[0].extensions], [200, { code: 'INTERNAL_SERVER_ERROR' }]);
  assert.match(body.errors[0].message, /req-1/);
  assert.doesNotMatch(JSON.stringify(body), /secret/);
  assert.equal(logged.length, 1);
  const [unavailable, answer] = format(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
  assert.deepEqual([unavailable, answer.errors[0].extensions.code], [503, 'DATABASE_UNAVAILABLE']);
  assert.deepEqual(formatGraphqlResponse({ data: { a: 1 } }, context), {
    statusCode: 200,
    response: { data: { a: 1 }, errors: [] },
  });
  const syntax = formatGraphqlResponse({ errors: [new GraphQLError('Syntax Error')] }, context);
  assert.deepEqual([syntax.statusCode, 'data' in syntax.response], [400, false]);
});

test('a rejected value is not repeated to the client', () => {
  const clean = (message: string) => {
    const { response } = formatGraphqlResponse({ errors: [new GraphQLError(message)] }, { request: {} } as never);
    return response.errors[0]?.message;
  };
  for (const [message, cleaned] of [
    ['Int cannot represent non-integer value: "secret"', 'Int cannot represent non-integer value.'],
    [
      'Variable "$a" got invalid value "secret" at "a.b[0]"; Expected type "Int" to be an object.',
      'Variable "$a" got an invalid value at "a.b[0]": Expected type "Int" to be an object.',
    ],
    [
      'Variable "$a" got invalid value { x: " at \\"secret\\"; " }; Field "y" of required type "String!" was not provided.',
      'Variable "$a" got an invalid value: Field "y" of required type "String!" was not provided.',
    ],
    ['Variable "$a" got invalid value "secret"; what it is', 'Variable "$a" got an invalid value.'],
    ['Another message: with a colon', 'Another message: with a colon'],
    ['x'.repeat(900), 'x'.repeat(800)],
  ] as const)
    assert.equal(clean(message), cleaned, message);
});
