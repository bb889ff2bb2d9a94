/** The WordPress destination: any site with its REST API and application passwords (5.6 and later). */
import type { Destination } from '../types.ts';
import { createWordPressClient } from './client.ts';
import { formatForWordPress, type WordPressPayload } from './format.ts';
import { WORDPRESS_LABEL, wordpressLimits } from './limits.ts';

export const wordpress: Destination<WordPressPayload> = {
  platform: 'wordpress',
  label: WORDPRESS_LABEL,
  // Everybody has a site of their own.
  defaultBaseUrl: null,
  credentialFields: ['username', 'applicationPassword'],
  optionalFields: [],
  limits: wordpressLimits,
  format: formatForWordPress,
  // Found by look-up: nobody has to name it.
  readPostUrl: () => null,
  createClient: createWordPressClient,
};
