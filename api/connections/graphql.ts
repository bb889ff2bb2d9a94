/** GraphQL fields of the author's connections. No response contains a credential. */
import type { DestinationKey } from '../../article/types.ts';
import { DESCRIPTORS, findDescriptor } from '../../destinations/registry.ts';
import type { CredentialField } from '../../destinations/types.ts';
import { disconnectDestination } from '../../store/connections/disconnect.ts';
import { listConnections } from '../../store/connections/list.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder, Destination } from '../graphql/builder.ts';
import { type GraphqlContext, requireUser } from '../graphql/context.ts';
import { createGraphqlError } from '../graphql/errors.ts';
import { connect, reconnect } from './connect.ts';

type ConnectionRow = Awaited<ReturnType<typeof listConnections>>[number];

const ConnectionStatus = builder.enumType('ConnectionStatus', {
  description: 'Whether the destination accepts the credential.',
  values: {
    ACTIVE: { value: 'active', description: 'The destination accepted the credential when it was last used.' },
    UNAUTHORISED: {
      value: 'unauthorised',
      description: 'The destination rejects the credential: nothing is sent until it is connected again.',
    },
  } as const,
});

const Connection = builder.objectRef<ConnectionRow>('Connection').implement({
  description: 'An account at a destination, without its credential.',
  fields: (t) => ({
    destination: t.expose('destination', { type: Destination, description: 'The key in cross_post.' }),
    platform: t.exposeString('platform', { description: `One of ${Object.keys(DESCRIPTORS).join(', ')}.` }),
    label: t.string({
      description: "The platform's name for people.",
      resolve: ({ platform }) => findDescriptor(platform)?.label ?? platform,
    }),
    baseUrl: t.exposeString('baseUrl', { description: 'The URL of the platform.' }),
    account: t.exposeString('account', {
      nullable: true,
      description: 'The name of the account; null if it was never read.',
    }),
    status: t.expose('status', {
      type: ConnectionStatus,
      description: 'Whether the destination accepts the credential.',
    }),
    statusReason: t.exposeString('statusReason', {
      nullable: true,
      description: 'Why it is unauthorised, and what to do.',
    }),
    blockedUntil: t.expose('blockedUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'The time before which nothing is sent, because the destination limits the rate.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the destination was first connected.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the connection last changed.',
    }),
  }),
});

const CredentialInput = builder.inputType('CredentialInput', {
  description: 'One field of a credential, for example apiKey.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name of the field.' }),
    value: t.string({ required: true, description: 'The secret. It is stored encrypted and never shown again.' }),
  }),
});

const nameField = ({ name, isOptional }: CredentialField) => (isOptional ? `${name} (optional)` : name);

const ConnectInput = builder.inputType('ConnectInput', {
  description: 'The account to connect.',
  fields: (t) => ({
    destination: t.field({ type: Destination, required: true, description: 'The key in cross_post.' }),
    platform: t.string({ description: 'Required for cms_site: wordpress or ghost.' }),
    baseUrl: t.string({
      description: "Required for cms_site: the URL of the site. Other destinations default to the platform's own URL.",
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
    description: 'The connected accounts, one per destination.',
    resolve: (_root, _args, context) => listConnections(context.deps.db, requireUser(context)),
  }),
);

builder.mutationFields((t) => ({
  connectDestination: t.field({
    type: Connection,
    description:
      'Tests the credential at the destination and stores it if it works; replaces the current connection of the destination.\nErrors: BAD_PLATFORM, BAD_ADDRESS, BAD_CREDENTIALS, CREDENTIALS_REFUSED, DESTINATION_UNAVAILABLE, DESTINATION_RATE_LIMITED, RATE_LIMITED, CONNECTION_CHANGED, and the errors that the\ndestination reports (for example PLAN_REQUIRED, ENDPOINT_MOVED, NOT_WORDPRESS).',
    args: { input: t.arg({ type: ConnectInput, required: true, description: 'The account and its credential.' }) },
    resolve: async (_root, { input }, context) => {
      const credentials = toRecord(input.credentials);
      await connect(context.deps, { ...input, userId: requireUser(context), credentials });
      context.deps.onOutboxWrite();
      return findConnected(context, input.destination);
    },
  }),
  reconnectDestination: t.field({
    type: Connection,
    description:
      'Tests the connection again, with new credentials if specified, and sends held deliveries. Errors: as connectDestination, NOT_CONNECTED.',
    args: {
      destination: t.arg({ type: Destination, required: true, description: 'The destination of the connection.' }),
      credentials: t.arg({
        type: [CredentialInput],
        description: 'The new credentials; if omitted, the stored credential is tested.',
      }),
    },
    resolve: async (_root, { destination, credentials }, context) => {
      const fields = credentials ? toRecord(credentials) : null;
      await reconnect(context.deps, { userId: requireUser(context), destination, credentials: fields });
      context.deps.onOutboxWrite();
      return findConnected(context, destination);
    },
  }),
  disconnectDestination: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description:
      'Disconnects the destination: nothing more is sent there, and delivered copies stay. Returns false if it was not connected.',
    args: {
      destination: t.arg({ type: Destination, required: true, description: 'The destination of the connection.' }),
    },
    resolve: (_root, { destination }, context) =>
      disconnectDestination(context.deps.db, requireUser(context), destination),
  }),
}));

/** Loads the connection again: another request may have removed it since. Throws NOT_CONNECTED. */
async function findConnected(context: GraphqlContext, destination: DestinationKey): Promise<ConnectionRow> {
  const connections = await listConnections(context.deps.db, requireUser(context));
  const connection = connections.find((candidate) => candidate.destination === destination);
  if (connection) return connection;
  throw createGraphqlError('NOT_CONNECTED', 'The destination was connected, but has been disconnected since.');
}

function toRecord(credentials: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(credentials.map(({ name, value }) => [name, value]));
}
