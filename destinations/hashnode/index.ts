/** The Hashnode destination. */
import type { Destination } from '../types.ts';
import { createHashnodeClient } from './client.ts';
import { formatForHashnode, type HashnodePayload } from './format.ts';
import { HASHNODE_BASE_URL, HASHNODE_LABEL, hashnodeLimits } from './limits.ts';

export const hashnode: Destination<HashnodePayload> = {
  platform: 'hashnode',
  label: HASHNODE_LABEL,
  defaultBaseUrl: HASHNODE_BASE_URL,
  credentialFields: ['token', 'publicationId'],
  optionalFields: [],
  limits: hashnodeLimits,
  // Found by look-up: nobody has to name it.
  readPostUrl: () => null,
  format: formatForHashnode,
  createClient: createHashnodeClient,
};
