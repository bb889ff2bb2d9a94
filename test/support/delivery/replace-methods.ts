import type { Destination, DestinationClient } from '../../../destinations/types.ts';

type Client = DestinationClient<unknown>;

/** Returns the destination with some methods of its clients replaced; the others are the real ones. */
export function replaceMethods(destination: Destination, replace: (client: Client) => Partial<Client>): Destination {
  return {
    ...destination,
    createClient(options) {
      const client = destination.createClient(options);
      return Object.assign(Object.create(client), replace(client));
    },
  };
}
