/** Reads the request fields that replace missing frontmatter fields, by the same rules. */
import { formatUri, parseHttpUrl } from '../identity/canonical.ts';
import { cleanLine } from '../text/clean-text.ts';
import type { DocumentInput } from '../types.ts';
import type { FieldReader } from './field-reader.ts';

export interface RequestFallbacks {
  canonicalUrl: string | null;
  baseUrl: string | null;
  coverImage: string | null;
}

/** Problems are added to the reader's, under the field names of the request. */
export function readRequest(input: DocumentInput, reader: FieldReader): RequestFallbacks {
  const url = (path: 'canonicalUrl' | 'baseUrl'): string | null => {
    const text = cleanLine(input[path] ?? '');
    if (text === '') return null;
    const parsed = parseHttpUrl(text);
    if (parsed !== null && text.length <= 2048) return formatUri(parsed);
    const message = `${path} must be an absolute http:// or https:// address; found "${text.slice(0, 60)}".`;
    reader.problems.push({ path, message });
    return null;
  };
  const coverImage = cleanLine(input.coverImage ?? '');
  if (coverImage.length > 2048) {
    reader.problems.push({ path: 'coverImage', message: 'coverImage must have at most 2048 characters.' });
  }
  return {
    canonicalUrl: url('canonicalUrl'),
    baseUrl: url('baseUrl'),
    coverImage: coverImage === '' ? null : coverImage,
  };
}
