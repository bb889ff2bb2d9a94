/** REST errors: RFC 9457 problem details with additional fields. */
import { STATUS_CODES } from 'node:http';
import { Type } from 'typebox';
import type { ProblemCode } from './problem-codes.ts';

export interface ProblemDetail {
  path: string;
  message: string;
  line?: number;
  column?: number;
}

/** Thrown below a route and sent by the error handler. `detail` is written for the client. */
export class ProblemError extends Error {
  readonly statusCode: number;
  readonly code: ProblemCode;
  readonly errors: ProblemDetail[];
  readonly headers: Record<string, string>;

  constructor(
    statusCode: number,
    code: ProblemCode,
    detail: string,
    more: { errors?: ProblemDetail[]; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.name = 'ProblemError';
    this.statusCode = statusCode;
    this.code = code;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
  }
}

export function createRateLimitProblem(detail: string, retryAfterSeconds: number): ProblemError {
  return new ProblemError(429, 'rate_limited', detail, { headers: { 'retry-after': String(retryAfterSeconds) } });
}

/** The names of RFC 9110 where Node.js has former ones. */
const TITLES: Record<string, string | undefined> = {
  ...STATUS_CODES,
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

/** Builds the body of an error response. `type` is a stable name, not an address to fetch. */
export function buildProblemBody(problem: ProblemError, requestId: string) {
  return {
    success: false,
    type: `urn:courant:problem:${problem.code}`,
    title: TITLES[problem.statusCode] ?? 'Error',
    status: problem.statusCode,
    detail: problem.message,
    code: problem.code,
    errors: problem.errors,
    requestId,
  };
}

/** For a route's response schema. */
export function buildProblemResponse(description: string) {
  return { description, content: { 'application/problem+json': { schema: Type.Ref('Problem') } } };
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
/** Without it, a proxy may cache a 404 and hide an article that is published a minute later. */
export const NO_STORE = { 'cache-control': 'no-store' } as const;

export const ProblemSchema = Type.Object(
  {
    success: Type.Literal(false),
    type: Type.String({ description: 'The stable type of the problem, `urn:courant:problem:<code>`.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'The cause and the next step.' }),
    code: Type.String({ description: 'The stable error code, for programs.' }),
    errors: Type.Array(
      Type.Object({
        path: Type.String({ description: 'The path of the field in the request or in the frontmatter.' }),
        message: Type.String(),
        line: Type.Optional(Type.Integer({ minimum: 1 })),
        column: Type.Optional(Type.Integer({ minimum: 1 })),
      }),
    ),
    requestId: Type.String(),
  },
  { $id: 'Problem', description: 'RFC 9457 problem details.' },
);
