/** Prints values as YAML or JSON for insertion into a text. */
import { Document, isScalar, type Scalar, type ToStringOptions, visit } from 'yaml';

export type YamlStyle = 'yaml' | 'json';
export type Value = string | boolean | string[] | Record<string, unknown>;

export const PRINT_OPTIONS: Record<YamlStyle, ToStringOptions> = {
  yaml: { lineWidth: 0, flowCollectionPadding: false },
  json: { lineWidth: 0, doubleQuotedAsJSON: true, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE' },
};

/** White space of YAML. A no-break space belongs to the value. */
const AROUND = /^[ \n]+|[ \n]+$/g;

export interface Setting {
  style: YamlStyle;
  /** Within braces or brackets, where commas end a value. */
  inFlow: boolean;
  /** The quotes of the value that is replaced. */
  like?: Scalar.Type | undefined;
}

/** Prints on one line. */
export function printInline(value: Value, { style, inFlow, like }: Setting): string {
  if (inFlow) {
    const text = print([value], { style, like });
    return text.slice(text.indexOf('[') + 1, text.lastIndexOf(']')).replace(AROUND, '');
  }
  // Printed beside a key: `---` and `...` need quotes only at the start of a document. Replacing a
  // value that was added then produces the same bytes.
  const line = print({ key: value }, { style, like, isOuterBlock: true });
  return line.slice(line.indexOf(':') + 1).replace(AROUND, '');
}

/** `key: value` on one line, for use within braces. */
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
