/** GraphQL fields of the author's connections. No response contains a credential. */
import type { DestinationKey } from '../../article/types.ts';
import { DESCRIPTORS, findDescriptor } from '../../destinations/registry.ts';
import type { CredentialField } from '../../destinations/types.ts';
import { disconnectDestination } from '../../store/connections/disconnect.ts';
import { listConnections } from '../../store/connections/list.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../graphql/builder.ts';
import { type GraphqlContext, requireUser } from '../graphql/context.ts';
import { Destination } from '../graphql/destination.ts';
import { createGraphqlError } from '../graphql/errors.ts';
import { connect, reconnect } from './connect.ts';
import '../graphql/date-time.ts';

type ConnectionRow = Awaited<ReturnType<typeof listConnections>>[number];

const ConnectionStatus = builder.enumType('ConnectionStatus', {
  description: 'Whether the destination still takes the credential.',
  values: {
    ACTIVE: { value: 'active', description: 'It did when it was last asked.' },
    UNAUTHORISED: { value: 'unauthorised', description: 'It does not: nothing is sent until the destination is connected again.' },
  } as const,
});

const Connection = builder.objectRef<ConnectionRow>('Connection').implement({
  description: 'An account at a destination, without its credential.',
  fields: (t) => ({
    destination: t.expose('destination', { type: Destination, description: 'The key of cross_post.' }),
    platform: t.exposeString('platform', { description: `One of ${Object.keys(DESCRIPTORS).join(', ')}.` }),
    label: t.string({
      description: "The platform's name for people.",
      resolve: ({ platform }) => findDescriptor(platform)?.label ?? platform,
    }),
    baseUrl: t.exposeString('baseUrl', { description: 'Where the platform is.' }),
    account: t.exposeString('account', {
      nullable: true,
      description: 'Whose account it is; null where it was never asked.',
    }),
    status: t.expose('status', { type: ConnectionStatus, description: 'Whether the credential is still taken.' }),
    statusReason: t.exposeString('statusReason', {
      nullable: true,
      description: 'Why it is unauthorised, and what to do.',
    }),
    blockedUntil: t.expose('blockedUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Nothing is sent before, because the destination asked to wait.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the destination was first connected.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the connection last changed.' }),
  }),
});

const CredentialInput = builder.inputType('CredentialInput', {
  description: 'One field of a credential, for example apiKey.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'What the platform calls it.' }),
    value: t.string({ required: true, description: 'The secret. It is stored sealed, and shown to nobody.' }),
  }),
});

const nameField = ({ name, isOptional }: CredentialField) => (isOptional ? `${name} (optional)` : name);

const ConnectInput = builder.inputType('ConnectInput', {
  description: 'Which account is to be connected.',
  fields: (t) => ({
    destination: t.field({ type: Destination, required: true, description: 'The key of cross_post.' }),
    platform: t.string({ description: 'Needed for cms_site: wordpress or ghost.' }),
    baseUrl: t.string({
      description: "Needed for cms_site: where the site is. Elsewhere the platform's own address is taken.",
    }),
    credentials: t.field({
      type: [CredentialInput],
      required: true,
      description: Object.values(DESCRIPTORS)
        .map(({ platform, connection }) => `${platform}: ${connection.fields.map(nameField).join(', ')}.`)
        .join(' '),
    }),
  }),
});

builder.queryField('connections', (t) =>
  t.field({
    type: [Connection],
    complexity: { multiplier: 5 },
    description: 'The accounts that are connected, one a destination.',
    resolve: (_root, _args, context) => listConnections(context.deps.db, requireUser(context)),
  }),
);

builder.mutationField('connectDestination', (t) =>
  t.field({
    type: Connection,
    description:
      'Tries the credential at the destination and stores it if it works; replaces the present connection under the key.\nErrors: BAD_PLATFORM, BAD_ADDRESS, BAD_CREDENTIALS, CREDENTIALS_REFUSED, DESTINATION_UNAVAILABLE, DESTINATION_RATE_LIMITED, RATE_LIMITED, CONNECTION_CHANGED, and what the\ndestination reports itself (for example PLAN_REQUIRED, ENDPOINT_MOVED, NOT_WORDPRESS).',
    args: { input: t.arg({ type: ConnectInput, required: true, description: 'The account and its credential.' }) },
    resolve: async (_root, { input }, context) => {
      const credentials = toRecord(input.credentials);
      await connect(context.deps, { ...input, userId: requireUser(context), credentials });
      context.deps.onDecided();
      return findConnected(context, input.destination);
    },
  }),
);

builder.mutationField('reconnectDestination', (t) =>
  t.field({
    type: Connection,
    description:
      'Tries the connection again, with new credentials where given; held deliveries are sent. Errors: as connectDestination, NOT_CONNECTED.',
    args: {
      destination: t.arg({ type: Destination, required: true, description: 'Which connection.' }),
      credentials: t.arg({ type: [CredentialInput], description: 'Without it, the stored credential is tried.' }),
    },
    resolve: async (_root, { destination, credentials }, context) => {
      const fields = credentials ? toRecord(credentials) : null;
      await reconnect(context.deps, { userId: requireUser(context), destination, credentials: fields });
      context.deps.onDecided();
      return findConnected(context, destination);
    },
  }),
);

builder.mutationField('disconnectDestination', (t) =>
  t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description:
      'Removes the connection: nothing is sent there afterwards, and what was delivered stays. False where it was not connected.',
    args: { destination: t.arg({ type: Destination, required: true, description: 'Which connection.' }) },
    resolve: (_root, { destination }, context) =>
      disconnectDestination(context.deps.db, requireUser(context), destination),
  }),
);

/** Loads the connection again: another command may have removed it since. Throws NOT_CONNECTED. */
async function findConnected(context: GraphqlContext, destination: DestinationKey): Promise<ConnectionRow> {
  const connections = await listConnections(context.deps.db, requireUser(context));
  const connection = connections.find((one) => one.destination === destination);
  if (connection) return connection;
  throw createGraphqlError('NOT_CONNECTED', 'The destination was connected, and has been disconnected again since.');
}

function toRecord(credentials: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(credentials.map(({ name, value }) => [name, value]));
}
