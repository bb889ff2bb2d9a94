/**
 * Rejects two files of the same article: the later one would silently replace the earlier.
 */
import { isSiteRoot, normaliseCanonicalUrl } from '../../../article/identity/canonical.ts';
import { buildTitleKey } from '../../../article/identity/match.ts';
import type { ArticleDraft } from '../../../article/types.ts';
import type { PreparedDocument } from '../../document/prepare-document.ts';
import { createInputFailure } from '../../failure.ts';

/** Throws if an earlier file is the same article. */
export type RejectDuplicate = (file: string, document: PreparedDocument) => void;

export function createDuplicateCheck(): RejectDuplicate {
  const files = new Map<string, string>();
  return (file, document) => {
    const [name, value] = identify(document.draft);
    const key = `${name} ${value}`;
    const usesFileName = name === 'title' && document.draft.isTitleFromFileName;
    const fileKey = `${key} ${describeSource(document)}`;
    const earlier = files.get(usesFileName ? fileKey : key);
    if (earlier === undefined) {
      if (usesFileName) files.set(fileKey, file);
      if (!files.has(key)) files.set(key, file);
      return;
    }
    throw createInputFailure(`${file} is the same article as ${earlier}: both have the ${name} "${value}".`, {
      file,
      hints: ['One would overwrite the other. Add a different "id" to the frontmatter of each.'],
    });
  };
}

/** A folder without an id gets a unique one on publish, so its path is used instead. */
function describeSource({ source }: PreparedDocument): string {
  return source === null ? 'unknown' : JSON.stringify([source.repository ?? source.root, source.path]);
}

/**
 * The first key by which the server matches the file. The server may match further files by stored
 * data; only this match is certain in advance.
 */
function identify({ externalId, slug, canonicalUrl, title }: ArticleDraft): [name: string, value: string] {
  if (externalId !== null) return ['id', externalId];
  if (slug !== null) return ['slug', slug];
  if (canonicalUrl !== null && !isSiteRoot(canonicalUrl)) return ['canonical URL', normaliseCanonicalUrl(canonicalUrl)];
  return ['title', buildTitleKey(title)];
}
