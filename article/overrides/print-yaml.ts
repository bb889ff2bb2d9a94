/** Prints values as YAML or JSON, to be put into a text. */
import { Document, isScalar, type Scalar, type ToStringOptions, visit } from 'yaml';

export type YamlStyle = 'yaml' | 'json';
export type Value = string | boolean | string[] | Record<string, unknown>;

export const PRINT_OPTIONS: Record<YamlStyle, ToStringOptions> = {
  yaml: { lineWidth: 0, flowCollectionPadding: false },
  json: { lineWidth: 0, doubleQuotedAsJSON: true, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE' },
};

/** The white space of YAML. A no-break space is a letter of its value. */
const AROUND = /^[ \n]+|[ \n]+$/g;

export interface Setting {
  style: YamlStyle;
  /** Within braces or brackets, where commas end a value. */
  inFlow: boolean;
  /** How the value was quoted that this one takes the place of. */
  like?: Scalar.Type | undefined;
}

/** On one line. */
export function printInline(value: Value, { style, inFlow, like }: Setting): string {
  if (inFlow) {
    const text = print([value], { style, like });
    return text.slice(text.indexOf('[') + 1, text.lastIndexOf(']')).replace(AROUND, '');
  }
  // Beside a key, because `---` and `...` need quotes at the beginning of a document alone: what was added is then replaced by the same bytes.
  const line = print({ key: value }, { style, like, isOuterBlock: true });
  return line.slice(line.indexOf(':') + 1).replace(AROUND, '');
}

/** `key: value` on one line, as it stands within braces. */
export function printMember(key: string, value: Value, style: YamlStyle): string {
  const text = print({ [key]: value }, { style });
  return text.slice(text.indexOf('{') + 1, text.lastIndexOf('}')).replace(AROUND, '');
}

/** `key: value` on lines of its own. */
export function printLines(key: string, value: Value): string {
  return new Document({ [key]: value }).toString({ ...PRINT_OPTIONS.yaml, blockQuote: false });
}

interface Print extends Pick<Setting, 'style' | 'like'> {
  isOuterBlock?: boolean;
}

function print(value: Value | Value[], { style, like, isOuterBlock = false }: Print): string {
  const doc = new Document(value);
  visit(doc, {
    Collection(_, node) {
      node.flow = !(isOuterBlock && node === doc.contents);
    },
    Scalar(_, node) {
      if (like?.startsWith('QUOTE') && isScalar(node) && typeof node.value === 'string') node.type = like;
    },
  });
  return doc.toString({ ...PRINT_OPTIONS[style], blockQuote: false }).replace(AROUND, '');
}
