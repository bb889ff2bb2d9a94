/** The Hashnode destination. */
import { normalizeBaseUrl } from '../http/base-url.ts';
import type { DestinationDescriptor } from '../types.ts';
import { formatArticle, type HashnodePayload } from './format.ts';
import { BASE_URL, LABEL, limits } from './limits.ts';

export const hashnode: DestinationDescriptor<HashnodePayload> = {
  platform: 'hashnode',
  label: LABEL,
  nameCopy: () => LABEL,
  connection: {
    steps: [
      'Open [Account Settings → Developer](https://hashnode.com/settings/developer), press “Generate New Token” and copy the personal access token.',
      'Open the dashboard of your blog and copy the publication id from its address, after `hashnode.com/`.',
    ],
    caution: 'Hashnode accepts posts from programs only for publications on its Pro plan.',
    fields: [
      {
        name: 'token',
        label: 'Personal access token',
        hint: 'It has full write access to your account.',
        kind: 'secret',
      },
      {
        name: 'publicationId',
        label: 'Publication id',
        hint: 'The id of the blog: 24 letters and digits.',
        kind: 'text',
      },
    ],
    address: { label: 'API address', hint: 'Leave it empty unless you use a proxy.' },
    defaultBaseUrl: BASE_URL,
  },
  limits,
  formatsAsHtml: false,
  normalizeBaseUrl,
  format: formatArticle,
};
