import { buildSchema, parse, validateExecutionArgs } from "graphql";
import { expect, it } from "vitest";
import { createExecutor } from "../../../src/graphql/executor/executor.ts";

const schema = buildSchema("type Query { slow: Int, sure: Int! }");
const FIELDS = 100;

/** An error of GraphQL copies the message of its cause, so reading it shows that one was created. */
function countedError(onRead: () => void): Error {
  return Object.defineProperty(new Error(), "message", {
    get() {
      onRead();
      return "The read was aborted.";
    },
  });
}

it.each(["slow", "sure"])(
  "the waiting fields of an operation create no errors when its client has left: %s",
  async (name) => {
    let read = 0;
    const document = parse(`{ ${Array.from({ length: FIELDS }, (_, at) => `f${at}: ${name}`).join(" ")} }`);
    const operation = validateExecutionArgs({ schema, document });
    if (!("operation" in operation)) throw new Error(String(operation));
    const client = new AbortController();
    const value = () =>
      new Promise((_, reject) =>
        client.signal.addEventListener("abort", () => reject(countedError(() => (read += 1)))),
      );
    const result = createExecutor({ compiles: true })({
      operation,
      rootValue: Object.defineProperty({}, name, { get: value }),
      context: () => ({}) as never,
      clientSignal: () => client.signal,
    });
    client.abort(new Error("The client has left."));
    await expect(result).rejects.toThrow("The client has left.");
    expect(read).toBe(0);
  },
);
