import { largestText, type RemedyMeans, remedyTexts } from '@app/domain';
import type { Wire, WireFailure } from '@app/formats';
import { AppError, type SessionId } from '@app/kernel';
import type { ComposedForClient } from './compose-for-client.js';
import type { GatewayAnswer } from './gateway-call.js';

/** Returns an error of the gateway in the form of the client's provider. */
export const refusal = (wire: Wire, failure: WireFailure, session?: SessionId): GatewayAnswer =>
  jsonAnswer(failure.status, JSON.stringify(wire.error(failure)), session);

export const jsonAnswer = (status: number, body: string, session: SessionId | undefined): GatewayAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: bytesOf(body),
  session,
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(text);
}

const meansFor = (session: SessionId): RemedyMeans => ({
  wait: 'send the request again when the compaction under way has ended',
  compact: `compact it: POST /v1/sessions/${session}/compactions`,
  reset: `clear its history: POST /v1/sessions/${session}/reset`,
  'reduce-context': 'add less to its requests',
  override: 'go on for this one turn: send the header x-palimpsest-override with a reason',
  shorten: 'leave out old messages: send the header x-palimpsest-ladder: on',
  'truncate-message': 'shorten its largest message: send the header x-palimpsest-ladder: truncate',
  'use-larger-model': 'name a model with a larger window',
});

/**
 * Returns the error for a session that requires a compaction. It is no overflow error, since the client would truncate its
 * history then.
 */
export const compactionRequired = (
  { occupancy, threshold, remedies, largest }: Extract<ComposedForClient, { outcome: 'refused' }>,
  session: SessionId,
): WireFailure => ({
  status: 400,
  code: 'compaction_required',
  message:
    `Palimpsest: session "${session}" holds ${occupancy} billed tokens, and from ${threshold} on nothing more is sent ` +
    `without your word${largest ? `; ${largestText(largest)}` : ''}. Either ${remedyTexts(remedies, meansFor(session))}.`,
});

/** Returns the overflow error in the provider's words, so that clients recognize it. */
const tooLong = (wire: Wire, { message }: AppError): WireFailure =>
  wire.name === 'anthropic'
    ? { status: 400, message: `prompt is too long: ${message}` }
    : {
        status: 400,
        message: `Your input exceeds the context window of this model: ${message}`,
        code: 'context_length_exceeded',
        param: wire.history,
      };

/** Returns the failure for an error of the request; `undefined` for an error of the service. */
export const asFailure = (wire: Wire, error: unknown): WireFailure | undefined => {
  if (!(error instanceof AppError)) return undefined;
  switch (error.code) {
    case 'context-overflow':
      return tooLong(wire, error);
    case 'unknown-window':
      return { status: 400, message: `${error.message}: send the header x-palimpsest-window` };
    case 'unknown-profile':
    case 'invalid-settings':
    case 'invalid-message':
    case 'append-too-large':
      return { status: 400, message: error.message };
    default:
      return undefined;
  }
};
