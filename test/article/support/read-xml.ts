/** Parses XML strictly. */
import { SaxesParser, type SaxesTagNS } from 'saxes';

export interface XmlElement {
  /** With its prefix. */
  name: string;
  /** Namespace. */
  uri: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** The text of the element and of its descendants. */
  text: string;
}

/** Throws if the text is not well-formed. */
export function readXml(xml: string): XmlElement {
  const root: XmlElement = { name: '', uri: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true, position: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag: SaxesTagNS) => {
    const attributes = Object.fromEntries(Object.values(tag.attributes).map(({ name, value }) => [name, value]));
    const element = { name: tag.name, uri: tag.uri, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const addText = (text: string) => {
    for (const element of open) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(xml).close();
  const [document] = root.children;
  if (!document) throw new Error('an XML document has an element');
  return document;
}

/** The children of an element with this name. */
export function findAll(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** The text of the first child with this name, without the blanks around it. */
export function findText(element: XmlElement | undefined, name: string): string | undefined {
  return findAll(element, name)[0]?.text.trim();
}
