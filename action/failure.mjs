/** What ends the run with a sentence for a person. Any other error is a fault of the Action and keeps its stack. */
export class Failure extends Error {}
