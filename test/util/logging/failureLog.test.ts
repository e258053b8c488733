import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLogger, type Logger } from "../../../src/logger.ts";
import { createLogContext } from "../../../src/util/logContext.ts";

interface Line {
  level: string;
  msg: string;
  requestId?: string;
  submissionId?: string;
  err?: { message: string; stack?: string };
  failures?: Record<string, number>;
}

function started(): { log: Logger & Disposable; lines: Line[] } {
  const lines: Line[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text) as Line);
  return { log: createLogger({ level: "info", secrets: ["canary-of-logs"], write }), lines };
}
const away = (cause = "connect ECONNREFUSED") =>
  Object.assign(new Error("The database is away.", { cause: new Error(cause) }), { code: "STORE_UNAVAILABLE" });
const AWAY = "STORE_UNAVAILABLE: The database is away: connect ECONNREFUSED";

describe("A failure that is repeated", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is written once with its stack, and then as one count a minute", () => {
    const { log, lines } = started();
    for (let count = 0; count < 1001; count += 1) log.error({ err: away(), submissionId: `s${count}` }, "it failed");
    expect(lines).toMatchObject([{ level: "error", msg: "it failed", submissionId: "s0" }]);
    expect(lines[0]?.err?.stack).toMatch(/at /);
    vi.advanceTimersByTime(60_000);
    expect(lines[1]).toMatchObject({ level: "error", msg: "it failed", failures: { [AWAY]: 1000 } });
    vi.advanceTimersByTime(600_000);
    expect(lines).toHaveLength(2);
  });

  it("is written at once if its message, its cause or its level is another", () => {
    const { log, lines } = started();
    log.warn({ err: away() }, "it failed");
    log.error({ err: away() }, "it failed");
    log.warn({ err: away() }, "that failed");
    log.warn({ err: away("disk full") }, "it failed");
    expect(lines.filter(({ err }) => err?.stack !== undefined)).toHaveLength(4);
  });

  it("is written with its stack again after ten minutes without one", () => {
    const { log, lines } = started();
    log.warn({ err: away() }, "it failed");
    vi.advanceTimersByTime(599_000);
    log.warn({ err: away() }, "it failed");
    vi.advanceTimersByTime(601_000);
    log.warn({ err: away() }, "it failed");
    expect(lines.map(({ err, failures }) => (err ? "stack" : failures))).toEqual(["stack", { [AWAY]: 1 }, "stack"]);
  });

  it("is written at most 21 times at once, although each has another message", () => {
    const { log, lines } = started();
    for (let count = 0; count < 500; count += 1) log.warn({ err: new Error(`No answer to ${count}.`) }, "it failed");
    expect(lines).toHaveLength(21);
    log[Symbol.dispose]();
    expect(lines.at(-1)?.failures).toEqual({ others: 479 });
  });

  it("is written for each request whose client got its ID, without the stack, up to 600 times a minute", () => {
    const { log, lines } = started();
    for (let count = 0; count < 1000; count += 1) log.error({ requestId: `r${count}`, err: away() }, "it failed");
    expect(lines).toHaveLength(601);
    expect(lines[0]?.err?.stack).toBeDefined();
    expect(lines[1]).toMatchObject({ requestId: "r1", err: "Error: The database is away: connect ECONNREFUSED" });
    vi.advanceTimersByTime(60_000);
    expect(lines.at(-1)?.failures).toEqual({ [AWAY]: 399 });
  });

  it("is counted without secrets and phone numbers, and without the ID of the request that began it", () => {
    const { log, lines } = started();
    createLogContext({ requestId: "of-one-request" }).run(() => {
      for (const err of [
        new Error("canary-of-logs 13800010001"),
        new Error("canary-of-logs 13800010001"),
        "text",
        "text",
      ])
        log.warn({ err }, "it failed");
    });
    log[Symbol.dispose]();
    const [first, second, counts] = lines;
    expect([first?.requestId, second?.requestId, counts?.requestId]).toEqual([
      "of-one-request",
      "of-one-request",
      undefined,
    ]);
    expect(counts?.failures).toEqual({ "Error: *** ***01": 1, string: 1 });
  });

  it("loses its fields and not its message if they cannot be read", () => {
    const { log, lines } = started();
    const hostile = Object.defineProperty(new Error("x"), "code", {
      get() {
        throw new Error("no");
      },
    });
    log.error({ err: hostile }, "it failed");
    expect(lines).toMatchObject([{ msg: "it failed", level: "error" }]);
  });
});
