import { AppError, Slices } from '@app/kernel';
import { verifyBundle } from '@app/proof';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answering, refIn, text } from '../results.js';
import type { McpSource } from '../source.js';
import { sessionArgument } from './arguments.js';

/** Bytes of a proof bundle that is verified in memory. */
const BYTES_MAX = 256 * 1_048_576;

const input = z.object({ session: sessionArgument });

/** Registers the tool that verifies the record of a session against the transparency log. */
export const registerVerify = (server: McpServer, source: McpSource): void => {
  server.registerTool(
    'verify',
    {
      title: 'Verify a session',
      description:
        'Verifies that the record of a session is complete and unchanged: hashes of all events, their inclusion in the signed transparency log, and erasures. Returns the outcome and its steps as JSON, without content.',
      inputSchema: input,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ session }) => answering(() => verify(source, session)),
  );
};

const verify = async (source: McpSource, session: string | undefined) => {
  const ref = refIn(source, session);
  const slices = new Slices();
  const yieldToLoop = () => (slices.isOver ? slices.next() : undefined);
  const report = await verifyBundle(await bytesIn(source.proof(ref)), { yieldToLoop });
  const { outcome, steps, faults, manifest, head, trust, witnesses, missingWitnesses, quorum } = report;
  const about = `Session ${ref.session} is ${outcome}${manifest ? `: ${manifest.events.count} events` : ''}.`;
  const how =
    'The service has verified its own record. For a proof that needs no trust in it, run `palimpsest export SESSION --proof` and `palimpsest verify FILE --policy POLICY`.';
  return {
    content: [
      text(about),
      text(JSON.stringify({ outcome, steps, faults, head, trust, witnesses, missingWitnesses, quorum })),
      text(how),
    ],
  };
};

/** @throws {AppError} `request-refused` above {@link BYTES_MAX}. */
const bytesIn = async (parts: AsyncIterable<string>): Promise<Uint8Array> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const part of parts) {
    const piece = Buffer.from(part);
    bytes += piece.length;
    if (bytes > BYTES_MAX)
      throw new AppError(
        'request-refused',
        'the proof of this session exceeds 256 MiB: export it with `palimpsest export SESSION --proof`, and verify the file',
      );
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};
