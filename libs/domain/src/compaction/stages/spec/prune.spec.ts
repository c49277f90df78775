import { compose, manifestOf, profileNamed, type SessionCommand } from '@app/domain';
import {
  append,
  assistant,
  call,
  completeTurn,
  eventsOf,
  filler,
  image,
  open,
  result,
  sessionOf,
  user,
} from '@app/testing';
import { DROPPED_OUTPUT_TEXT } from '../../../view/recall/recall-tool.js';

const opening = open({ window: 400_000, profile: profileNamed('pivot') });
const sized = (tokens: number): string => filler((tokens - 2) * 4);
/** A turn with one call whose result has the given tokens. */
const turn = (id: string, tokens: number, tool = 'read') =>
  append(
    user(`u-${id}`, 'go'),
    assistant(`a-${id}`, call(id, tool)),
    user(`r-${id}`, result(id, sized(tokens))),
    assistant(`d-${id}`, 'done'),
  );
const recent = [turn('y', 10), turn('z', 10)];
const pruned = (...commands: readonly SessionCommand[]) =>
  eventsOf(opening, ...commands, ...recent, completeTurn()).flatMap((event) =>
    event.type === 'ToolOutputsPruned' ? [event.data] : [],
  );

describe('pruning tool outputs', () => {
  // Holds rule 2.7.
  it('keeps the newest 40,000 tokens of outputs and marks older ones', () => {
    const [data] = pruned(turn('a', 15_000), turn('b', 10_000), turn('c', 30_000), turn('d', 10_000));
    expect(data?.outputs.map(({ callId }) => callId)).toEqual(['a', 'b']);
    expect(data).toMatchObject({ kept: 40_000, pruned: 25_000 });
  });

  // Holds rule 2.14.
  it('marks nothing for a gain under 20,000 tokens', () => {
    expect(pruned(turn('a', 19_999), turn('b', 40_000))).toEqual([]);
    expect(pruned(turn('a', 20_000), turn('b', 40_000))).toHaveLength(1);
  });

  // Holds rule 2.14.
  it('skips the last two turns', () => {
    const [data] = eventsOf(
      opening,
      turn('a', 30_000),
      turn('b', 40_000),
      turn('c', 90_000),
      turn('d', 90_000),
      completeTurn(),
    ).flatMap((event) => (event.type === 'ToolOutputsPruned' ? [event.data] : []));
    expect(data?.outputs.map(({ callId }) => callId)).toEqual(['a']);
  });

  // Holds rule 2.14.
  it('skips protected tools', () => {
    const [data] = pruned(turn('a', 30_000), turn('s', 50_000, 'skill'), turn('b', 40_000));
    expect(data?.outputs.map(({ callId }) => callId)).toEqual(['a']);
    expect(data).toMatchObject({ kept: 40_000, pruned: 30_000 });
  });

  it('is idempotent: pruned outputs stay pruned and are not checked again', () => {
    const commands = [
      turn('a', 30_000),
      turn('b', 39_000),
      ...recent,
      completeTurn(),
      turn('e', 10),
      completeTurn(),
    ];
    const events = eventsOf(opening, ...commands);
    expect(events.filter(({ type }) => type === 'ToolOutputsPruned')).toHaveLength(1);
  });

  // Holds rules 2.9, 2.15.
  it('replaces the whole output, media included, by one line, and leaves the stored message unchanged', () => {
    const seen = append(
      user('u-m', 'look'),
      assistant('a-m', call('m')),
      user('r-m', result('m', [{ type: 'text', text: sized(30_000) }, image()])),
      assistant('d-m', 'seen'),
    );
    const session = sessionOf(opening, seen, turn('b', 40_000), ...recent, completeTurn());
    const body = JSON.stringify(compose(manifestOf(session), 'anthropic').request);
    expect(body).toContain(DROPPED_OUTPUT_TEXT);
    expect(body).not.toContain('"type":"image"');
    expect(JSON.stringify(session.entries[2])).toContain('"type":"image"');
  });

  // Holds rule 4.11.
  it('never runs automatically if compactions need authorization', () => {
    const mine = open({ window: 400_000, profile: { ...profileNamed('pivot'), mode: 'authorized' } });
    const events = eventsOf(mine, turn('a', 30_000), turn('b', 40_000), ...recent, completeTurn());
    expect(events.map(({ type }) => type)).not.toContain('ToolOutputsPruned');
  });
});
