/** The WordPress destination: sites with REST API and application passwords (from 5.6). */
import type { DestinationDescriptor } from '../types.ts';
import { formatArticle, type WordPressPayload } from './format.ts';
import { LABEL, limits } from './limits.ts';
import { normaliseSiteAddress } from './site/api-root.ts';

export const wordpress: DestinationDescriptor<WordPressPayload> = {
  platform: 'wordpress',
  label: LABEL,
  nameCopy: (host) => host,
  connection: {
    steps: [
      'In the dashboard of your site, open Users → Profile and scroll to “Application Passwords”.',
      'Enter “Courant” as “New Application Password Name” and press “Add Application Password”.',
      'Copy the password, which is shown once. Its spaces may stay.',
    ],
    fields: [
      {
        name: 'username',
        label: 'Username',
        hint: 'Your username there, as an author, editor or administrator.',
        kind: 'text',
      },
      {
        name: 'applicationPassword',
        label: 'Application password',
        hint: 'Not the password that you sign in with.',
        kind: 'secret',
      },
    ],
    address: {
      label: 'Address of the site',
      hint: 'The front page, such as https://blog.example. Requires WordPress 5.6 or later.',
    },
    // Every WordPress is a separate site.
    defaultBaseUrl: null,
  },
  limits,
  formatsAsHtml: true,
  normalizeBaseUrl: normaliseSiteAddress,
  format: formatArticle,
};
