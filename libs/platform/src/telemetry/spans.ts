import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Spans cost nothing where nobody has begun tracing. */
const tracer = () => trace.getTracer('palimpsest');

export type SpanOptions = {
  readonly kind?: SpanKind;
  /** What it continues; what is under way where it is not given. */
  readonly parent?: Context;
  readonly attributes?: Readonly<Record<string, string | number>>;
};

/** Does `work` within a span, so that what it calls is part of it; a failure marks the span, without its words. */
export const inSpan = async <Result>(
  name: string,
  { kind = SpanKind.INTERNAL, parent = context.active(), attributes = {} }: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> => {
  const span = tracer().startSpan(name, { kind, attributes: { ...attributes } }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
};

/** A span that its caller ends. */
export const startSpan = (name: string, { kind, parent = context.active(), attributes }: SpanOptions): Span =>
  tracer().startSpan(
    name,
    { ...(kind !== undefined && { kind }), ...(attributes && { attributes: { ...attributes } }) },
    parent,
  );

/** Calls `next` as part of a span. */
export const within = (span: Span, next: () => void): void =>
  context.with(trace.setSpan(context.active(), span), next);

/** The context that headers of W3C Trace Context continue. */
export const contextFrom = (headers: Readonly<Record<string, unknown>>): Context =>
  propagation.extract(ROOT_CONTEXT, headers);

/** The context that an event was recorded in. */
export const contextOf = (traceparent: string | undefined): Context =>
  traceparent === undefined ? ROOT_CONTEXT : contextFrom({ traceparent });

/** What is under way, as a `traceparent`; `undefined` where nothing is traced. */
export const currentTraceparent = (): string | undefined => {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
};
