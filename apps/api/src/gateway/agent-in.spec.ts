import { agentIn } from './call-from.js';

describe('the agent of a user agent', () => {
  it.each([
    ['claude-cli/2.0.14 (external, cli)', 'claude-code'],
    ['codex_cli_rs/0.142.2 (Ubuntu 24.4.0; x86_64)', 'codex'],
    ['codex-tui/0.142.2', 'codex'],
    ['opencode/1.4.3', 'opencode'],
    ['OpenHands/0.60', 'openhands'],
  ])('%s is %s', (userAgent, agent) => {
    expect(agentIn(userAgent)).toBe(agent);
  });

  it.each([[undefined], [''], ['Anthropic/Python 0.70.0'], ['node'], ['my-codex/1']])(
    '%s is not known',
    (userAgent) => {
      expect(agentIn(userAgent)).toBeUndefined();
    },
  );
});
