import { compose, frameSummary, manifestOf, WIRE_FORMATS } from '@app/domain';
import { CompactionId, headAndTail, isWellFormed, safeEnd, safeStart, truncate } from '@app/kernel';
import {
  append,
  assistant,
  call,
  compactable,
  complete,
  goodSummary,
  open,
  request,
  result,
  sessionOf,
  start,
  user,
} from '@app/testing';

const AWKWARD = '👩‍👩‍👧‍👦 e\u0301\u0323 𝒳𝒴 ❤️ ก็ ';

describe('case 31: surrogate pairs and combining characters', () => {
  it('are split at no truncation point', () => {
    for (let at = 0; at <= AWKWARD.length; at += 1) {
      for (const cut of [
        truncate(AWKWARD, at),
        AWKWARD.slice(0, safeEnd(AWKWARD, at)),
        AWKWARD.slice(safeStart(AWKWARD, at)),
      ]) {
        expect(isWellFormed(cut)).toBe(true);
        expect(cut).not.toMatch(/^\p{M}|\u200d…?$/u);
      }
      const parts = headAndTail(AWKWARD.repeat(10), at).split(/\n\[… \d+ characters left out …\]\n/);
      for (const part of parts) expect(isWellFormed(part)).toBe(true);
    }
  });

  it('pass through a context unchanged, byte for byte', () => {
    const session = sessionOf(
      open(),
      append(
        user('u', AWKWARD),
        assistant('a', AWKWARD, call('x', 'say', { words: AWKWARD })),
        user('r', result('x', AWKWARD)),
      ),
    );
    for (const format of WIRE_FORMATS) {
      const { request } = compose(manifestOf(session), format);
      const written = new TextDecoder().decode(new TextEncoder().encode(JSON.stringify(request)));
      expect(written).toBe(JSON.stringify(request));
      expect(written.split(AWKWARD).length).toBeGreaterThanOrEqual(4);
    }
  });

  it('pass through a summary unchanged; a lone surrogate is rejected', () => {
    const spoken = sessionOf(
      ...compactable(),
      request(),
      start(),
      complete('c1', { summary: { text: goodSummary(AWKWARD) } }),
    );
    expect(manifestOf(spoken).record).toBe(frameSummary(goodSummary(AWKWARD), CompactionId('c1')));
    const broken = sessionOf(
      ...compactable(),
      request(),
      start(),
      complete('c1', { summary: { text: goodSummary(AWKWARD.slice(0, 1)) } }),
    );
    expect(broken.pivot).toBeUndefined();
  });
});
