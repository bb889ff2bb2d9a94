/** Reads Hashnode's embeds: `%[https://…]`. The parser has made the address a link already. */
import type { PhrasingContent } from 'mdast';

/** Removes the marks around such addresses, in place. */
export function unwrapPercentEmbeds(nodes: PhrasingContent[]): void {
  for (const [index, link] of nodes.entries()) {
    const before = nodes[index - 1];
    const after = nodes[index + 1];
    if (link.type !== 'link' || before?.type !== 'text' || after?.type !== 'text') continue;
    if (!before.value.endsWith('%[') || !after.value.startsWith(']')) continue;
    before.value = before.value.slice(0, -2);
    after.value = after.value.slice(1);
  }
}
