/** The Ghost destination (Ghost 5 and later, hosted or self-hosted). */
import type { DestinationDescriptor } from '../types.ts';
import { findSite } from './address.ts';
import { formatArticle, type GhostPayload } from './format.ts';
import { LABEL, limits } from './limits.ts';

export const ghost: DestinationDescriptor<GhostPayload> = {
  platform: 'ghost',
  label: LABEL,
  nameCopy: (host) => host,
  connection: {
    steps: [
      'In Ghost’s admin area, open Settings → Advanced → Integrations.',
      'Press “Add custom integration” and name it “Courant”.',
      'Copy the “Admin API key” (not the Content API key), and the “API URL” as the address.',
    ],
    fields: [{ name: 'adminKey', label: 'Admin API key', hint: 'Two parts, separated by a colon.', kind: 'secret' }],
    address: { label: 'API URL', hint: 'As shown in Ghost, such as https://blog.example.' },
    // Every Ghost is a separate site.
    defaultBaseUrl: null,
  },
  limits,
  formatsAsHtml: true,
  normalizeBaseUrl: findSite,
  format: formatArticle,
};
