/** The Forem destination (dev.to and self-hosted Forems). */
import type { DestinationDescriptor } from '../types.ts';
import { findApiRoot } from './address.ts';
import { type ForemPayload, formatArticle } from './format.ts';
import { BASE_URL, LABEL, limits } from './limits.ts';

export const forem: DestinationDescriptor<ForemPayload> = {
  platform: 'forem',
  label: LABEL,
  nameCopy: (host) => (host === 'dev.to' ? LABEL : host),
  connection: {
    steps: [
      'On DEV, open [Settings → Extensions](https://dev.to/settings/extensions).',
      'Under “DEV Community API Keys”, describe the key (“Courant”) and press “Generate API Key”.',
      'Open the new key in the list, copy it, and paste it here.',
    ],
    fields: [
      { name: 'apiKey', label: 'API key', hint: 'DEV may need some minutes to accept a new key.', kind: 'secret' },
    ],
    address: {
      label: 'Address of another Forem',
      hint: 'Leave it empty for DEV, or enter the front page, such as https://community.example.',
    },
    defaultBaseUrl: BASE_URL,
  },
  limits,
  formatsAsHtml: false,
  normalizeBaseUrl: findApiRoot,
  format: formatArticle,
};
