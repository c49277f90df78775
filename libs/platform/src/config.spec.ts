import { parseConfig } from './config.js';

describe('the configuration', () => {
  it('has defaults for everything, and takes empty settings for none', () => {
    const defaults = {
      PALIMPSEST_DATA: '.palimpsest',
      PALIMPSEST_EVENTSTORE_PORT: 0,
      PALIMPSEST_POSTGRES_PORT: 0,
    };
    expect(parseConfig({})).toEqual(defaults);
    expect(parseConfig({ PALIMPSEST_DATA: '', PALIMPSEST_POSTGRES_URL: '', PATH: '/bin' })).toEqual(defaults);
  });

  it.each(['esdb://h:2113?tls=false', 'kurrentdb://a,b,c', 'esdb+discover://h'])('takes %s', (url) => {
    expect(parseConfig({ PALIMPSEST_EVENTSTORE_URL: url })).toMatchObject({ PALIMPSEST_EVENTSTORE_URL: url });
  });

  it('names all faults, and shows no value', () => {
    const given = {
      PALIMPSEST_POSTGRES_URL: 'mysql://user:hidden@h/db',
      PALIMPSEST_EVENTSTORE_PORT: '70000',
    };
    const refusal = (): unknown => parseConfig(given);
    expect(refusal).toThrow(/PALIMPSEST_POSTGRES_URL.*PALIMPSEST_EVENTSTORE_PORT/);
    expect(refusal).not.toThrow(/hidden/);
  });
});
