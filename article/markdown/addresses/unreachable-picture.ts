/** Builds warnings about pictures with relative addresses, which browsers cannot load. */
import type { Notice } from '../../types.ts';
import { isLocalFile, isTemplate } from './resolve-address.ts';

const CODE = 'picture_unreachable';
const MAX_SHOWN_LENGTH = 200;

/** `effect` is a sentence: what readers see instead. */
export function describeUnreachablePicture(address: string, effect: string): Notice {
  const [reason, advice] = isTemplate(address)
    ? ['its address contains a template placeholder, which Courant does not replace', 'Write its full address.']
    : [
        'readers cannot reach a local path',
        isLocalFile(address)
          ? 'Write its full address.'
          : 'Set base_url or canonical_url in the frontmatter, or write its full address.',
      ];
  const shown = address.slice(0, MAX_SHOWN_LENGTH);
  return { code: CODE, path: 'content', message: `Picture "${shown}" will not load: ${reason}. ${effect} ${advice}` };
}

export function describeMorePictures(count: number): Notice {
  const message = `${count} more pictures will not load.`;
  return { code: CODE, path: 'content', message };
}
