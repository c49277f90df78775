import { UnreadableNotice } from '@app/application';
import { AppError, LogPosition, Revision, SessionId, sessionStream, TenantId } from '@app/kernel';
import { FrameCache } from './frame-cache.js';

const eventAt = (place: number) =>
  new UnreadableNotice(
    {
      stream: sessionStream(TenantId('acme'), SessionId('s')),
      revision: Revision(place),
      position: LogPosition(BigInt(place)),
      type: 'SessionOpened',
      error: new AppError('corrupt-event', 'none of ours'),
    },
    SessionId('s'),
  );

describe('the frame cache', () => {
  it('serializes an event once for each content level while it is cached', () => {
    const cache = new FrameCache(100);
    const made: string[] = [];
    const take = (event: ReturnType<typeof eventAt>, content: 'none' | 'full', text: string) =>
      cache.getOrAdd(event, content, () => {
        made.push(text);
        return text;
      });
    const [first, second, large] = [eventAt(1), eventAt(2), eventAt(3)];
    expect(take(first, 'full', 'ä'.repeat(20)).toString()).toBe('ä'.repeat(20));
    expect(take(first, 'none', 'facts')).toBe(take(first, 'none', 'facts'));
    take(second, 'full', 'b'.repeat(40));
    take(first, 'full', 'unused');
    expect(made).toEqual(['ä'.repeat(20), 'facts', 'b'.repeat(40)]);
    take(large, 'full', 'c'.repeat(200));
    expect(take(large, 'full', 'unused')).toHaveLength(200);
    take(second, 'full', 'again');
    expect(made.slice(3)).toEqual(['c'.repeat(200), 'again']);
  });
});
