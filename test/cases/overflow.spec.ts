import {
  decide,
  evolve,
  initialState,
  isOverflow,
  type ProviderError,
  type SessionCommand,
} from '@app/domain';
import {
  append,
  checkBudget,
  compactable,
  complete,
  composeRequest,
  eventsOf,
  failAttempt,
  open,
  reportOverflow,
  request,
  sized,
  specificationOf,
  start,
  turns,
  user,
} from '@app/testing';

const said = (message: string, more: Partial<ProviderError> = {}): ProviderError => ({ message, ...more });

describe('case 22: overflow errors of providers', () => {
  it.each([
    said('prompt is too long: 210000 tokens > 200000 maximum', {
      status: 400,
      code: 'invalid_request_error',
    }),
    said('input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000', { status: 400 }),
    said('413 {"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}'),
    said('', { status: 413 }),
    said('Your input exceeds the context window of this model. Please adjust your input.', { status: 400 }),
    said('400 status code (no body)', { code: 'context_length_exceeded' }),
    said(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
    ),
    said('The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).'),
    said('Input is too long for requested model.', { code: 'ValidationException' }),
    said("This model's maximum prompt length is 131072 but the request contains 150000 tokens."),
    said('prompt token count of 70000 exceeds the limit of 64000', {
      code: 'model_max_prompt_tokens_exceeded',
    }),
    said('the request exceeds the available context size, try increasing it', { status: 400 }),
    said('', { code: 'model_context_window_exceeded' }),
  ])('$message ($status, $code) is recognized as an overflow', (error) =>
    expect(isOverflow(error)).toBe(true),
  );

  // Holds rule 5.4.
  it.each([
    said("This request would exceed your organization's rate limit of 80,000 input tokens per minute", {
      status: 429,
    }),
    said('Number of request tokens has exceeded your per-minute rate limit', { code: 'rate_limit_error' }),
    said('ThrottlingException: Too many tokens, please wait before trying again.'),
    said('Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.'),
    said('Request too large for model on tokens per minute (TPM): Limit 6000', {
      status: 413,
      code: 'rate_limit_exceeded',
    }),
    said('You exceeded your current quota, please check your plan', {
      status: 429,
      code: 'insufficient_quota',
    }),
    said('Overloaded', { status: 529, code: 'overloaded_error' }),
    said('prompt is too long: but come back later', { status: 429 }),
    said('Too many requests', { status: 503 }),
    said('invalid x-api-key', { status: 401 }),
    said('messages.3: `tool_use` ids were found without `tool_result` blocks', { status: 400 }),
    said('', { status: 500 }),
    said(''),
  ])('$message ($status, $code) is not an overflow', (error) => expect(isOverflow(error)).toBe(false));
});

describe('an overflow', () => {
  const given = specificationOf({ initialState, evolve, decide });
  const overflow = reportOverflow;
  const past = (...commands: SessionCommand[]) => given(...eventsOf(...commands));
  const compacted = [...compactable(), overflow(), start('o1'), complete('o1')];

  // Holds rule 5.3.
  it('requests one compaction, for any local count', () => {
    const events = past(...compactable())
      .when(overflow())
      .events();
    const [reported] = events;
    const requested = events.find(({ type }) => type === 'CompactionRequested');
    expect(reported).toEqual({ type: 'OverflowReported', data: { turn: 5, tokens: 1_510 } });
    expect(requested).toMatchObject({
      type: 'CompactionRequested',
      data: { compactionId: 'o1', trigger: 'overflow' },
    });
    past(...compactable(), overflow())
      .when(overflow('o2'))
      .thenNothing();
  });

  it('uses the compaction that is under way', () =>
    past(...compactable(), request())
      .when(overflow())
      .thenRecords('OverflowReported'));

  // Holds rule 5.76.
  it('fails if nothing is new and the ladder is exhausted, and requests again after new messages', () => {
    past(...compacted)
      .when(overflow('o2'))
      .thenNothing(); // A duplicate report: the request was not sent again.
    const billed = [...compacted, composeRequest()];
    const [, ended] = past(...billed)
      .when(overflow('o2'))
      .events();
    expect(ended).toMatchObject({
      type: 'ContextOverflowed',
      data: {
        turn: 5,
        reason: 'ladder-exhausted',
        rung: 'none',
        parts: [
          { part: 'system prompt and tools', tokens: 10 },
          { part: 'newest atomic group', tokens: 150 },
          { part: "the group's user message", tokens: 150 },
          { part: 'reserve for the summary' },
        ],
      },
    });
    past(...billed, overflow('o2'))
      .when(overflow('o3'))
      .thenNothing();
    past(...compacted, append(...turns(3, 150, 6)))
      .when(overflow('o2'))
      .thenRecords('OverflowReported', 'CompactionThresholdHit', 'CompactionRequested');
  });

  it('requests none right after an automatic one: the next request uses the ladder', () =>
    past(
      ...compactable(),
      append(sized('a6', 'assistant', 150)),
      checkBudget(),
      start('auto'),
      complete('auto'),
    )
      .when(overflow('o2'))
      .thenRecords('OverflowReported'));

  it('uses a deeper rung after a failed compaction and another overflow, and starts over after new messages', () => {
    const failed = [1, 2, 3].flatMap((attempt) => [start('o1'), failAttempt('o1', attempt)]);
    past(...compactable(), overflow(), ...failed, composeRequest())
      .when(overflow('o2'))
      .thenRecords('OverflowReported');
    past(...compactable(), overflow(), ...failed, append(user('u6', 'and now?')))
      .when(overflow('o2'))
      .thenRecords('OverflowReported', 'CompactionThresholdHit', 'CompactionRequested');
  });

  // Holds rule 4.13.
  it('is left to the caller with automatic compaction off', () =>
    past(...compactable({ profile: { mode: 'authorized' } }))
      .when(overflow())
      .thenRefuses('context-overflow'));

  it('states that nothing can be dropped, doubts the first report, and fails if nothing can be omitted', () => {
    const floor = [open(), append(sized('u1', 'user', 300))];
    past(...floor)
      .when(overflow())
      .thenRecords('OverflowReported', 'CompactionSkipped');
    const again = [...floor, overflow(), composeRequest()];
    past(...again)
      .when(overflow('o2'))
      .thenRecords('OverflowReported', 'ContextOverflowed');
    const [, ended] = past(...again)
      .when(overflow('o2'))
      .events();
    expect(ended).toMatchObject({ data: { reason: 'ladder-exhausted', rung: 'none', budget: 279 } });
  });
});
