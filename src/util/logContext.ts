// The fields that each log line of the current work gets, such as the ID of its request. They follow the work through promises,
// timers and callbacks, so no function passes them on. Work without such fields enters no context and costs nothing.
import { AsyncLocalStorage } from "node:async_hooks";

export interface LogFields {
  /** The ID that a trusted proxy gave to the request. */
  requestId?: string;
  /** The trace of the work, if it is recorded. */
  traceId?: string;
}

export interface LogContext {
  run<T>(work: () => T): T;
  /** From now on, lines get no fields: a timer that many requests share may outlive the one that started it. */
  end(): void;
}

const contexts = new AsyncLocalStorage<{ fields: LogFields }>();
const NO_FIELDS: LogFields = {};

/** The fields are added to those of the context around it. */
export function createLogContext(fields: LogFields): LogContext {
  const context = { fields: { ...logFields(), ...fields } };
  return {
    run: (work) => contexts.run(context, work),
    end: () => {
      context.fields = NO_FIELDS;
    },
  };
}

/** Runs work that serves more than the current request, and outlives it. */
export function withoutLogContext<T>(work: () => T): T {
  return contexts.exit(work);
}

/** Those of the current work. */
export function logFields(): LogFields {
  return contexts.getStore()?.fields ?? NO_FIELDS;
}
