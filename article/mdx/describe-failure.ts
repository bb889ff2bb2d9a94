/**
 * Explains to authors why a text is not valid MDX. The parser's own messages use terms that only
 * its developers know.
 */

const EXPLANATIONS: [message: RegExp, explain: (...parts: string[]) => string][] = [
  [
    /^Could not parse expression with acorn|closing brace for `\{`|empty expression/,
    () => 'the text after { is not a JavaScript expression that ends with }; write \\{ for a brace that is text',
  ],
  [
    /^Could not parse import\/exports|only import\/exports are supported/,
    () => 'a line that begins with import or export is not JavaScript; put code between lines of ```',
  ],
  [
    /to create a link in MDX/,
    () => 'MDX has no links in angle brackets; write [text](https://…) instead of <https://…>',
  ],
  [/^Unexpected character `!`/, () => 'a comment (<!-- … -->) is not closed, or < is text; write \\< for text'],
  [
    /^Unexpected character `(.+)` \(U\+[\dA-F]+\) (?:before|in) (?:local |member )?name/,
    (character) => `<${character} begins no tag; write \\< for a < that is text`,
  ],
  [
    /^Expected a closing tag for `<([^`>]*)>`/,
    (name) => `<${name}> is not closed in the same block; close it with </${name}>, or write <${name} />`,
  ],
  [
    /^Unexpected closing (?:slash|tag) /,
    () => 'a closing tag has no opening tag in the same block; remove it, or open the tag before',
  ],
  [
    /attribute/,
    () => 'an attribute is not written as name="value" or name={value}; put its value between quotation marks',
  ],
  [/spread elements/, () => 'an attribute in braces must be {...props}; write name={value}'],
  [/end of file/, () => 'a tag or brace is opened and never closed'],
];

/** Without a full stop. An unknown message is returned without its positions. */
export function describeMdxFailure(message: string | undefined): string {
  if (message === undefined) return 'it cannot be parsed';
  for (const [pattern, explain] of EXPLANATIONS) {
    const match = pattern.exec(message);
    if (match !== null) return explain(...match.slice(1).map((part) => part ?? ''));
  }
  return message.replace(/ \(\d+:\d+-\d+:\d+\)/g, '');
}
