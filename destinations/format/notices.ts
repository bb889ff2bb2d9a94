/** Builds notices about unsupported content that several formats share. */
import type { Notice } from '../../article/types.ts';

/** `why` ends the sentence: "it is longer than 30 characters". */
export function dropTag(label: string, name: string, why: string): Notice {
  return { code: 'tag_dropped', message: `${label} gets no tag “${name}”: ${why}.`, path: 'tags' };
}

/** For a cover address that is not a web address. */
export function dropCover(label: string): Notice {
  return {
    code: 'cover_dropped',
    message: `${label} takes a cover only by its full web address.`,
    path: 'cover_image',
  };
}

export function dropToc(label: string): Notice {
  return { code: 'toc_dropped', message: `${label} has no table of contents.`, path: 'generate_toc' };
}

export function refuseUntitled(label: string): Notice {
  return { code: 'title_missing', message: `${label} takes no article without a title.`, path: 'title' };
}

export function refuseEmpty(label: string): Notice {
  return { code: 'body_empty', message: `${label} takes no article without text.`, path: 'content' };
}

/** For a canonical URL that is not a web address. */
export function refuseCanonical(label: string): Notice {
  const message = `${label} needs a canonical URL that is a web address without spaces.`;
  return { code: 'canonical_invalid', message, path: 'canonical_url' };
}
