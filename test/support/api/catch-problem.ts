import assert from 'node:assert/strict';
import { ProblemError } from '../../../api/plugins/errors/problem.ts';

/** The problem that a reader of a request throws; fails if it accepts the request. */
export function catchProblem(read: () => unknown): ProblemError {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof ProblemError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'it was accepted' });
}
