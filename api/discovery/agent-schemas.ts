/** Schemas of the documents for agents. */
import { Type } from 'typebox';

const Address = Type.String({ format: 'uri' });
const Time = Type.String({ format: 'date-time' });
const Texts = Type.Array(Type.String());

export const AgentDocumentSchema = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  canonicalUrl: Address,
  author: Type.Object({ name: Type.String(), username: Type.String(), isTrustedAuthor: Type.Boolean() }),
  publishedAt: Time,
  updatedAt: Time,
  topicSignals: Texts,
  headings: Type.Array(Type.Object({ level: Type.Integer(), text: Type.String() })),
  outboundReferences: Type.Array(Address),
  contentHash: Type.String({ description: 'sha256:<hex> over the plain text' }),
  plainTextContent: Type.String(),
});

export const DescriptionSchema = Type.Object({
  schemaVersion: Type.Literal('1.0'),
  type: Type.String(),
  types: Texts,
  slug: Type.String(),
  url: Address,
  title: Type.String(),
  subtitle: Type.String(),
  tldr: Type.String(),
  keywords: Texts,
  entities: Texts,
  keyTakeaways: Texts,
  headings: Texts,
  outboundLinks: Type.Array(Address),
  contentText: Type.String(),
  contentHash: Type.String(),
  authorName: Type.String(),
  authorUrl: Address,
  authorSameAs: Type.Array(Address),
  category: Type.Union([Type.String(), Type.Null()]),
  tags: Texts,
  audience: Type.String(),
  tone: Type.String(),
  readingTimeMinutes: Type.Integer(),
  wordCount: Type.Integer(),
  faqs: Type.Union([Type.Array(Type.Object({ question: Type.String(), answer: Type.String() })), Type.Null()]),
  primaryTopic: Type.String(),
  publishedAt: Time,
  updatedAt: Time,
  canonicalUrl: Address,
});
