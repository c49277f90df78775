import { Closers } from './closers.js';

describe('closing', () => {
  it('closes the newest first, also behind one that fails, and everything once', async () => {
    const closed: string[] = [];
    const closers = new Closers();
    closers.add(async () => void closed.push('first'));
    closers.add(() => Promise.reject(new Error('broken')));
    closers.add(async () => void closed.push('last'));
    await Promise.all([closers.close(), closers.close()]);
    await closers.close();
    expect(closed).toEqual(['last', 'first']);
  });

  it('closes what stands behind others that never end, within one deadline for all', async () => {
    const closers = new Closers(200);
    let isClosed = false;
    closers.add(async () => {
      isClosed = true;
    });
    for (let at = 0; at < 20; at += 1) closers.add(() => new Promise(() => {}));
    await closers.close();
    expect(isClosed).toBe(true);
  });

  it('closes at once what is opened too late', async () => {
    const closers = new Closers();
    await closers.close();
    let closed = false;
    closers.add(async () => {
      closed = true;
    });
    expect(closed).toBe(true);
  });
});
