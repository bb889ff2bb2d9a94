/** The author's connected destinations: connect, list, reconnect, disconnect. No answer contains a credential. */
import type { DestinationKey } from '../../article/types.ts';
import { findDestination } from '../../destinations/registry.ts';
import { disconnectDestination } from '../../store/connections/disconnect.ts';
import { listConnections } from '../../store/connections/list.ts';
import { type ConnectDeps, connect, reconnect } from '../connections/connect.ts';
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
    Tries the credential at the destination and stores it if it works; replaces the present connection under the key.
    Errors: BAD_PLATFORM, BAD_ADDRESS, BAD_CREDENTIALS, CREDENTIALS_REFUSED, DESTINATION_UNAVAILABLE, RATE_LIMITED, CONNECTION_CHANGED, and what the
    destination reports itself (for example PLAN_REQUIRED, ENDPOINT_MOVED, NOT_WORDPRESS).
    """
    connectDestination(input: ConnectInput!): Connection!
    "Tries the connection again, with new credentials where given; held deliveries are sent. Errors: as connectDestination, NOT_CONNECTED."
    reconnectDestination(destination: Destination!, credentials: [CredentialInput!]): Connection!
    "Removes the connection: nothing is sent there afterwards, and what was delivered stays. False where it was not connected."
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

export function createConnectionsModule(deps: ConnectDeps & { onDecided: () => void }): GraphqlModule {
  const find = async (userId: string, destination: DestinationKey) => {
    const connections = await listConnections(deps.db, userId);
    return connections.find((connection) => connection.destination === destination);
  };
  return {
    typeDefs,
    resolvers: {
      Connection: {
        label: ({ platform }: { platform: string }) => findDestination(platform)?.label ?? platform,
      },
      Query: {
        connections: (_root, _args, context) => listConnections(deps.db, requireUser(context)),
      },
      Mutation: {
        connectDestination: async (_root, { input }: { input: ConnectInput }, context) => {
          const userId = requireUser(context);
          await connect(deps, { ...input, userId, credentials: toRecord(input.credentials) });
          deps.onDecided();
          return find(userId, input.destination);
        },
        reconnectDestination: async (
          _root,
          { destination, credentials }: { destination: DestinationKey; credentials?: Credential[] | null },
          context,
        ) => {
          const userId = requireUser(context);
          const given = credentials ? toRecord(credentials) : null;
          await reconnect(deps, { userId, destination, credentials: given });
          deps.onDecided();
          return find(userId, destination);
        },
        disconnectDestination: (_root, { destination }: { destination: DestinationKey }, context) =>
          disconnectDestination(deps.db, requireUser(context), destination),
      },
    },
  };
}

function toRecord(credentials: Credential[]): Record<string, string> {
  return Object.fromEntries(credentials.map(({ name, value }) => [name, value]));
}
