/** The Medium destination, for authors who still have an integration token. */
import type { DestinationDescriptor } from '../types.ts';
import { findApiRoot } from './address.ts';
import { formatArticle, type MediumPayload } from './format.ts';
import { BASE_URL, LABEL, limits } from './limits.ts';

export const medium: DestinationDescriptor<MediumPayload> = {
  platform: 'medium',
  label: LABEL,
  nameCopy: () => LABEL,
  connection: {
    steps: [
      'Open [Settings → Security and apps](https://medium.com/me/settings/security).',
      'Under “Integration tokens”, copy your token.',
    ],
    caution:
      'Medium issues no new integration tokens. Existing tokens still work; if the section is missing, you have none. Only you can change or delete posts, on Medium.',
    fields: [{ name: 'token', label: 'Integration token', hint: 'Treat it like a password.', kind: 'secret' }],
    address: { label: 'API address', hint: 'Leave it empty unless you use a proxy.' },
    defaultBaseUrl: BASE_URL,
  },
  limits,
  formatsAsHtml: true,
  normalizeBaseUrl: findApiRoot,
  readPostUrl,
  format: formatArticle,
};

/**
 * The id ends the path: `/@ann/a-title-1a2b3c4d5e6f` or `/p/1a2b3c4d5e6f`. Publications have their
 * own hosts, so the host proves nothing. Ids have eleven or twelve digits, seldom fewer, which
 * excludes dates and commits of other sites.
 */
function readPostUrl(url: string): string | null {
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  return /[-/]([0-9a-f]{9,12})\/?$/.exec(path)?.[1] ?? null;
}
