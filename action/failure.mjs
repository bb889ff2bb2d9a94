/**
 * Ends the run with a message for the user. Any other error is a bug of the Action and is thrown
 * with its stack.
 */
export class Failure extends Error {}
