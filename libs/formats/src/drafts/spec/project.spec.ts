import { projectIn } from '../project.js';

describe('the project of a transcript', () => {
  it.each([
    [{ repository: 'https://example.org/team/parser.git', folder: '/srv/src/work' }, 'parser'],
    [{ repository: 'git@example.org:team/parser.git' }, 'parser'],
    [{ repository: 'team/parser' }, 'parser'],
    [{ folder: '/srv/src/work/' }, 'work'],
    [{ folder: 'D:\\src\\work' }, 'work'],
    [{ repository: '', folder: '/srv/dates' }, 'dates'],
  ])('of %j is %s', (given, project) => {
    expect(projectIn(given)).toEqual({ project });
  });

  it.each([[{}], [{ folder: '/' }], [{ folder: '' }], [{ folder: `/${'x'.repeat(257)}` }]])(
    'of %j is absent',
    (given) => {
      expect(projectIn(given)).toEqual({});
    },
  );
});
