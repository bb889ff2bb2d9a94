/**
 * Root fields require a session unless they set `skipTypeScopes: true`. Mutations also require a
 * confirmed address unless they spread `ALLOW_UNCONFIRMED_FIELD`. Fields are non-null unless they
 * set `nullable: true`. Each has a description, which a test checks.
 */
import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { createUnconfirmedError } from '../auth/confirmed-address.ts';
import { createSignInFirstError } from '../auth/session-hook.ts';
import type { GraphqlContext } from './context.ts';

export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  AuthScopes: { signedIn: boolean; confirmed: boolean };
  Scalars: { DateTime: { Input: never; Output: Date }; ID: { Input: string; Output: string } };
}>({
  // The first plugin is the outermost: an unauthorised request does no further work.
  plugins: [ScopeAuthPlugin, ComplexityPlugin, DataloaderPlugin, RelayPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authScopes: ({ request: { session } }) => ({
      signedIn: session !== null,
      confirmed: session?.emailConfirmed === true,
    }),
    unauthorizedError: (_parent, { request }) =>
      request.session === null ? createSignInFirstError() : createUnconfirmedError(),
  },
  // Fields declare their cost; `bounds/cost.ts` adds it up before execution, introspection
  // included.
  complexity: { disabled: true, defaultComplexity: 1, defaultListMultiplier: 10 },
  relay: {
    cursorType: 'String',
    pageInfoTypeOptions: { description: 'The position of a page in its list.' },
    hasNextPageFieldOptions: { description: 'Whether more entries follow this page.' },
    hasPreviousPageFieldOptions: {
      description: 'Whether this page was requested with a cursor, and so follows another.',
    },
    startCursorFieldOptions: { description: 'The cursor of the first entry; null on an empty page.' },
    endCursorFieldOptions: { description: 'The cursor of the last entry, for `after`; null on an empty page.' },
    pageInfoFieldOptions: { description: 'The position of this page in the list.' },
    edgesFieldOptions: { nullable: false, description: 'The entries of this page, in order.' },
    nodeFieldOptions: { nullable: false, description: 'The entry.' },
    cursorFieldOptions: {
      description: 'The position of this entry. Valid only for the same list with the same arguments.',
    },
  },
});

builder.queryType({ description: 'Reads data.', authScopes: { signedIn: true } });
builder.mutationType({
  description:
    'Changes data. An account without a confirmed address can use only a few of these fields; the others return EMAIL_NOT_CONFIRMED.',
  authScopes: { confirmed: true },
});

/** Options of a mutation that accounts without a confirmed address may call. */
export const ALLOW_UNCONFIRMED_FIELD = { skipTypeScopes: true, authScopes: { signedIn: true } } as const;

/** The resolver of a mutation that returns true once `run` is done. */
export function returnTrueAfter<Args>(run: (args: Args, context: GraphqlContext) => Promise<unknown>) {
  return async (_root: unknown, args: Args, context: GraphqlContext): Promise<true> => {
    await run(args, context);
    return true;
  };
}

builder.scalarType('DateTime', {
  description: 'A point in time, as ISO 8601 in UTC.',
  serialize: (value) => value.toISOString(),
});

export const Destination = builder.enumType('Destination', {
  description: 'The key of a destination in cross_post.',
  values: {
    blogsite_a: { description: 'Forem: DEV (dev.to) or your own instance.' },
    blogsite_b: { description: 'Hashnode.' },
    blogsite_c: { description: 'Medium.' },
    cms_site: { description: 'Your own WordPress or Ghost site.' },
    social_feed: { description: 'LinkedIn.' },
  } as const,
});

interface ExposedTypes {
  ID: string;
  String: string;
  Int: number;
  Boolean: boolean;
  DateTime: Date;
  '[String!]': string[];
}
type ExposedType<Value> = {
  [Type in keyof ExposedTypes]: Value extends ExposedTypes[Type] ? Type : never;
}[keyof ExposedTypes];
type ExposedFields<Row> = {
  [Name in keyof Row]?: [
    type: null extends Row[Name] ? ExposedType<NonNullable<Row[Name]>> : `${ExposedType<Row[Name]>}!`,
    description: string,
  ];
};

/** Fields with the names and values of properties of the row. As in a schema, `!` is non-null. */
export function exposeFields<Row extends object>(
  t: PothosSchemaTypes.ObjectFieldBuilder<(typeof builder)['$inferSchemaTypes'], Row>,
  fields: ExposedFields<Row>,
) {
  const entries = Object.entries(fields) as [name: string, [type: string, description: string]][];
  return Object.fromEntries(
    entries.map(([name, [type, description]]) => {
      const nullable = !type.endsWith('!');
      const bare = type.replace(/!$/, '');
      const options = { type: bare.startsWith('[') ? ['String'] : bare, nullable, description };
      return [name, t.expose(name as never, options as never)];
    }),
  );
}
