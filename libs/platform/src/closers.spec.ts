import { Closers } from './closers.js';

describe('closing resources', () => {
  it('runs in reverse order, once each, and continues after a failure', async () => {
    const closed: string[] = [];
    const closers = new Closers();
    closers.add(async () => void closed.push('first'));
    closers.add(() => Promise.reject(new Error('broken')));
    closers.add(async () => void closed.push('last'));
    await Promise.all([closers.close(), closers.close()]);
    await closers.close();
    expect(closed).toEqual(['last', 'first']);
  });

  it('has one deadline for all, also if some never end', async () => {
    const closers = new Closers(200);
    let isClosed = false;
    closers.add(async () => {
      isClosed = true;
    });
    for (let at = 0; at < 20; at += 1) closers.add(() => new Promise(() => {}));
    await closers.close();
    expect(isClosed).toBe(true);
  });

  it('closes resources that are opened too late', async () => {
    const closers = new Closers();
    await closers.close();
    let closed = false;
    closers.add(async () => {
      closed = true;
    });
    expect(closed).toBe(true);
  });
});
