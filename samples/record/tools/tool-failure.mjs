/** A tool's refusal, which the assistant sees as an error result; anything else that is thrown ends the recording. */
export class ToolFailure extends Error {}
