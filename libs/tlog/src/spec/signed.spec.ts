import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { utf8 } from '../bytes.js';
import {
  acceptedCheckpoint,
  answerAddCheckpoint,
  type Checkpoint,
  consistencyProof,
  cosign,
  cosignedAt,
  EMPTY_ROOT,
  formatAddCheckpoint,
  formatCheckpoint,
  formatInclusionProof,
  formatNote,
  formatSignerKey,
  formatVerifierKey,
  hashesOf,
  inclusionProof,
  leafHash,
  type Note,
  openCheckpoint,
  openNote,
  parseAddCheckpoint,
  parseCheckpoint,
  parseInclusionProof,
  parseNote,
  parsePolicy,
  parseSignerKey,
  parseVerifierKey,
  rootOf,
  type SignatureType,
  signerKey,
  signText,
  TlogError,
  type TreeHead,
  verifyInclusionProof,
  type Witness,
  withCosignatures,
} from '../index.js';

const ORIGIN = 'example.com/log';
const NOW = 1_763_900_000;
const keyOf = (name: string, type: SignatureType, seed: number) =>
  signerKey(name, type, new Uint8Array(32).fill(seed));
const log = keyOf(ORIGIN, 'ed25519', 1);
const witness = keyOf('witness.example/w1', 'ed25519-cosignature', 2);
const quantum = keyOf('witness.example/w2', 'ml-dsa-44-cosignature', 3);
const stranger = keyOf(ORIGIN, 'ed25519', 4);

const leaves = Array.from({ length: 20 }, (_, at) => leafHash(utf8(String(at))));
const headOf = (size: number): TreeHead => ({ size, root: rootOf(leaves.slice(0, size)) });
const checkpointOf = (size: number): Checkpoint => ({ origin: ORIGIN, ...headOf(size) });
const noteOf = (size: number, key = log): Note => {
  const text = formatCheckpoint(checkpointOf(size));
  return { text, signatures: [signText(text, key)] };
};
const cosigned = (note: Note, ...keys: readonly (typeof log)[]): Note => ({
  ...note,
  signatures: [...note.signatures, ...keys.map((key) => cosign(note.text, key, NOW))],
});
const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof TlogError) return error.code;
    throw error;
  }
};

describe('a signed note', () => {
  it('opens by each known key, and keeps signatures of others', () => {
    const signed = formatNote(cosigned(noteOf(5), witness));
    const { signatures, verified } = openNote(signed, [log]);
    expect([signatures.length, verified.length]).toEqual([2, 1]);
    expect(formatNote(parseNote(signed))).toBe(signed);
    expect(codeOf(() => openNote(signed, [stranger]))).toBe('unknown-key');
  });

  it('does not open with any bit of text or signature changed', () => {
    const bytes = utf8(formatNote(noteOf(5)));
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
        expect(codeOf(() => openNote(new TextDecoder().decode(changed), [log]))).toMatch(
          /^(malformed|bad-signature|unknown-key)$/,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('is refused with a typed error for any content', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          fc.constantFrom('\n\n', 'a\n\n— ', 'a\n\n— b AAAA\n'),
        ),
        (text) => {
          for (const parse of [
            parseNote,
            parseCheckpoint,
            parseAddCheckpoint,
            parseInclusionProof,
            parsePolicy,
            parseVerifierKey,
            parseSignerKey,
          ])
            expect(codeOf(() => parse(text))).toBe('malformed');
        },
      ),
    ));

  it.each(['ed25519', 'ed25519-cosignature', 'ml-dsa-44-cosignature'] as const)(
    'has keys of type %s that are read back',
    (type) => {
      const key = keyOf('example.com/key', type, 9);
      expect(parseSignerKey(formatSignerKey(key))).toEqual(key);
      const { seed: _, ...open } = key;
      expect(parseVerifierKey(formatVerifierKey(key))).toEqual(open);
      expect(
        codeOf(() =>
          parseVerifierKey(
            formatVerifierKey(key)
              .replace('+', '+0')
              .replace(/\+0(.{7})./, '+0$1'),
          ),
        ),
      ).toBe('malformed');
    },
  );
});

it.each([
  ['no size', 'a\n\nAAAA\n'],
  ['leading zeroes', `a\n01\n${'A'.repeat(43)}=\n`],
  ['a short root', 'a\n1\nAAAA\n'],
  ['no origin', `\n1\n${'A'.repeat(43)}=\n`],
  ['an empty extension', `a\n1\n${'A'.repeat(43)}=\n\n`],
  ['a control character', `a\u0000\n1\n${'A'.repeat(43)}=\n`],
  ['base64 that is not canonical', `a\n1\n${'A'.repeat(42)}B=\n`],
])('refuses a checkpoint with %s', (_, text) => {
  expect(codeOf(() => parseCheckpoint(text))).toBe('malformed');
});

it('opens a checkpoint of the log that was asked for alone', () => {
  const signed = formatNote(noteOf(7));
  expect(openCheckpoint(signed, ORIGIN, [log]).checkpoint).toMatchObject(headOf(7));
  expect(codeOf(() => openCheckpoint(signed, 'example.com/other', [log]))).toBe('unknown-key');
});

describe('a witness', () => {
  const answering = (last: TreeHead | undefined): Witness => ({
    keys: [witness, quantum],
    logKeys: (origin) => (origin === ORIGIN ? [log] : undefined),
    last: () => last,
  });
  const bodyOf = (oldSize: number, size: number, note = noteOf(size)): string =>
    formatAddCheckpoint({ oldSize, proof: consistencyProof(oldSize, size, hashesOf(leaves)), note });

  it.each([
    [undefined, 0, 5],
    [headOf(5), 5, 13],
    [headOf(8), 8, 8],
  ])('cosigns a tree that begins with the one before (%#)', (last, oldSize, size) => {
    const answer = answerAddCheckpoint(answering(last), bodyOf(oldSize, size), NOW);
    expect(answer).toMatchObject({ status: 200, cosigned: headOf(size) });
    const keys = [witness, quantum].map((key) => parseVerifierKey(formatVerifierKey(key)));
    const { added } = withCosignatures(noteOf(size), answer.status === 200 ? answer.body : '', keys);
    expect(added.map(({ key, bytes }) => [key.name, cosignedAt(bytes)])).toEqual([
      [witness.name, NOW],
      [quantum.name, NOW],
    ]);
  });

  it.each([
    ['a body that is none', 400, headOf(5), 'old x\n\n'],
    [
      'an old size above the new one',
      400,
      headOf(9),
      formatAddCheckpoint({ oldSize: 9, proof: [], note: noteOf(5) }),
    ],
    ['a signature by an unknown key', 403, headOf(5), bodyOf(5, 9, noteOf(9, stranger))],
    ['another log', 404, headOf(5), bodyOf(5, 9).replace(ORIGIN, 'example.com/other')],
    ['another old size than its own', 409, headOf(6), bodyOf(5, 9)],
    ['a proof of another tree', 422, { size: 5, root: EMPTY_ROOT }, bodyOf(5, 9)],
    [
      'a proof that is missing',
      422,
      headOf(5),
      formatAddCheckpoint({ oldSize: 5, proof: [], note: noteOf(9) }),
    ],
    [
      'a proof from the empty tree',
      422,
      undefined,
      formatAddCheckpoint({ oldSize: 0, proof: [EMPTY_ROOT], note: noteOf(9) }),
    ],
    ['another root of the same size', 422, { size: 9, root: EMPTY_ROOT }, bodyOf(9, 9)],
  ] as const)('refuses %s with %i', (_, status, last, body) => {
    const answer = answerAddCheckpoint(answering(last), body, NOW);
    expect(answer.status).toBe(status);
    if (answer.status === 409) expect(answer.body).toBe('6\n');
  });

  it('refuses an empty tree whose root is not that of nothing', () => {
    const text = formatCheckpoint({ origin: ORIGIN, size: 0, root: leafHash(utf8('')) });
    const body = formatAddCheckpoint({
      oldSize: 0,
      proof: [],
      note: { text, signatures: [signText(text, log)] },
    });
    expect(answerAddCheckpoint(answering(undefined), body, NOW).status).toBe(422);
  });
});

describe('a policy', () => {
  const policyOf = (...lines: readonly string[]) =>
    parsePolicy(
      [
        '# who is trusted',
        `log ${formatVerifierKey(log)} https://example.com/log`,
        `witness w1 ${formatVerifierKey(witness)}`,
        `\twitness w2 ${formatVerifierKey(quantum)}`,
        ...lines,
        '',
      ].join('\n'),
    );

  it.each([
    ['quorum none', [], undefined],
    ['quorum w1', [], 'no-quorum'],
    ['quorum w1', [witness], undefined],
    ['group both all w1 w2\nquorum both', [witness], 'no-quorum'],
    ['group both all w1 w2\nquorum both', [witness, quantum], undefined],
    ['group one any w1 w2\nquorum one', [quantum], undefined],
    ['group one 1 w1\ngroup top all one w2\nquorum top', [quantum], 'no-quorum'],
  ] as const)('with "%s" asks for its quorum (%#)', (lines, keys, code) => {
    const policy = policyOf(lines);
    const note = cosigned(noteOf(9), ...keys);
    expect(codeOf(() => acceptedCheckpoint(note, policy))).toBe(code);
  });

  it('accepts no log that it does not name, and no changed cosignature', () => {
    const policy = policyOf('quorum none');
    expect(codeOf(() => acceptedCheckpoint(noteOf(9, stranger), policy))).toBe('unknown-key');
    const [signature] = noteOf(9).signatures;
    const forged = { ...cosign(noteOf(9).text, witness, NOW) };
    const bytes = forged.bytes.map((byte, at) => (at === 7 ? byte ^ 1 : byte));
    const note: Note = {
      text: noteOf(9).text,
      signatures: [...(signature ? [signature] : []), { ...forged, bytes }],
    };
    expect(codeOf(() => acceptedCheckpoint(note, policy))).toBe('bad-signature');
  });

  it.each([
    ['no quorum', ''],
    ['two quorums', 'quorum none\nquorum none'],
    ['an unknown name', 'quorum w3'],
    ['a name twice', `witness w1 ${formatVerifierKey(keyOf('x', 'ed25519-cosignature', 7))}\nquorum none`],
    ['a key twice', `witness w9 ${formatVerifierKey(witness)}\nquorum none`],
    ['a log among the witnesses', `witness w9 ${formatVerifierKey(log)}\nquorum none`],
    ['a member of two groups', 'group a any w1\ngroup b any w1\nquorum b'],
    ['too high a threshold', 'group a 3 w1 w2\nquorum a'],
    ['a threshold of none', 'group a 0 w1\nquorum a'],
    ['a group called none', 'group none any w1\nquorum none'],
    ['another word', 'trust w1'],
    ['a control character', 'quorum none\r'],
  ])('is refused with %s', (_, lines) => {
    expect(codeOf(() => policyOf(lines))).toBe('malformed');
  });

  it('accepts a proof of inclusion that is read from a file, and of no other entry', () => {
    const policy = policyOf('quorum w1');
    const proof = {
      index: 7,
      proof: inclusionProof(7, 20, hashesOf(leaves)),
      note: cosigned(noteOf(20), witness),
    };
    for (const file of [proof, { ...proof, extra: utf8('more') }]) {
      const read = parseInclusionProof(formatInclusionProof(file));
      expect(read).toEqual(file);
      expect(verifyInclusionProof(read, leafHash(utf8('7')), policy).cosigned).toEqual(
        new Map([['w1', NOW]]),
      );
      expect(codeOf(() => verifyInclusionProof(read, leafHash(utf8('8')), policy))).toBe('bad-proof');
    }
  });
});
