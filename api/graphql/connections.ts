/** The author's connected destinations: connect, list, reconnect, disconnect. A credential goes in and never comes out. */
import type { DestinationKey } from '../../article/types.ts';
import { destinationFor } from '../../destinations/registry.ts';
import { disconnectDestination } from '../../store/connections/disconnect.ts';
import { listConnections } from '../../store/connections/list.ts';
import { type ConnectDeps, connect, NotConnectedError, reconnect } from '../connect.ts';
import { graphqlError } from './graphql-error.ts';
import { type GraphqlModule, requireUser } from './module.ts';

const typeDefs = `
  enum ConnectionStatus { active unauthorised }

  type Connection {
    destination: Destination!
    "forem, hashnode, medium, wordpress, ghost or linkedin."
    platform: String!
    "The platform's name for people."
    label: String!
    baseUrl: String!
    "Whose account it is; null where it was never asked."
    account: String
    status: ConnectionStatus!
    "Why it is unauthorised, and what to do."
    statusReason: String
    "Nothing is sent before, because the destination asked to wait."
    blockedUntil: DateTime
    createdAt: DateTime!
    updatedAt: DateTime!
  }

  "One field of a credential, for example apiKey."
  input CredentialInput { name: String! value: String! }

  input ConnectInput {
    destination: Destination!
    "Needed for cms_site: wordpress or ghost."
    platform: String
    "Needed for cms_site: where the site is. Elsewhere the platform's own address is taken."
    baseUrl: String
    """
    forem: apiKey. hashnode: token, publicationId. medium: token. wordpress: username, applicationPassword. ghost: adminKey.
    linkedin: accessToken (and organizationId for a page).
    """
    credentials: [CredentialInput!]!
  }

  extend type Query {
    connections: [Connection!]!
  }

  extend type Mutation {
    """
    Tries the credential at the destination and keeps it where it works; replaces what was connected under the key.
    Errors: BAD_PLATFORM, BAD_ADDRESS, BAD_CREDENTIALS, CREDENTIALS_REFUSED, DESTINATION_UNAVAILABLE, RATE_LIMITED, and what the
    destination alone can say (for example PLAN_REQUIRED, ENDPOINT_MOVED, NOT_WORDPRESS).
    """
    connectDestination(input: ConnectInput!): Connection!
    "Tries the connection again, with new credentials where given; deliveries that were held go out. Errors: as connectDestination, NOT_CONNECTED."
    reconnectDestination(destination: Destination!, credentials: [CredentialInput!]): Connection!
    "Forgets the connection: nothing is sent there afterwards. What was delivered stays. False where it was not connected."
    disconnectDestination(destination: Destination!): Boolean!
  }
`;

interface Credential {
  name: string;
  value: string;
}

interface ConnectInput {
  destination: DestinationKey;
  platform?: string | null;
  baseUrl?: string | null;
  credentials: Credential[];
}

export function connectionsModule(deps: ConnectDeps & { onDecided: () => void }): GraphqlModule {
  const one = async (userId: string, destination: DestinationKey) => {
    const connections = await listConnections(deps.db, userId);
    return connections.find((connection) => connection.destination === destination);
  };
  return {
    typeDefs,
    resolvers: {
      Connection: {
        label: ({ platform }: { platform: string }) => destinationFor(platform)?.label ?? platform,
      },
      Query: {
        connections: (_root, _args, context) => listConnections(deps.db, requireUser(context)),
      },
      Mutation: {
        connectDestination: async (_root, { input }: { input: ConnectInput }, context) => {
          const userId = requireUser(context);
          await worded(() => connect(deps, { ...input, userId, credentials: recordOf(input.credentials) }));
          deps.onDecided();
          return one(userId, input.destination);
        },
        reconnectDestination: async (
          _root,
          { destination, credentials }: { destination: DestinationKey; credentials?: Credential[] | null },
          context,
        ) => {
          const userId = requireUser(context);
          const given = credentials ? recordOf(credentials) : null;
          await worded(() => reconnect(deps, { userId, destination, credentials: given }));
          deps.onDecided();
          return one(userId, destination);
        },
        disconnectDestination: (_root, { destination }: { destination: DestinationKey }, context) =>
          disconnectDestination(deps.db, requireUser(context), destination),
      },
    },
  };
}

function recordOf(credentials: Credential[]): Record<string, string> {
  return Object.fromEntries(credentials.map(({ name, value }) => [name, value]));
}

async function worded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NotConnectedError)) throw error;
    throw graphqlError(error.code, error.message, error.field === undefined ? {} : { field: error.field });
  }
}
