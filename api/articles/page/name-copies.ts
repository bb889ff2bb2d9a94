/** Names public copies for readers: by platform, or by the host of a self-hosted site. */
import { findDescriptor } from '../../../destinations/registry.ts';
import type { PublicCopy } from '../../../store/lists/related-content.ts';

export function nameCopies(copies: readonly PublicCopy[]): { name: string; url: string }[] {
  return copies.flatMap(({ platform, url }) => {
    if (!URL.canParse(url)) return [];
    const { protocol, host } = new URL(url);
    if (protocol !== 'https:' && protocol !== 'http:') return [];
    return [{ name: findDescriptor(platform)?.nameCopy(host) ?? host, url }];
  });
}
