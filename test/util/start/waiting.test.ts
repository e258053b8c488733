import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FinalError } from "../../../src/util/start/finalError.ts";
import { explainListenError, listenWhenPossible } from "../../../src/util/start/listening.ts";
import { createWaiting } from "../../../src/util/start/waiting.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The reasons that were logged. `stop` ends the waiting. */
function waitingStart() {
  const reasons: unknown[] = [];
  const stopping = new AbortController();
  const log = { warn: ({ reason }: Record<string, unknown>) => void reasons.push(reason) };
  const waiting = createWaiting({ log, signal: stopping.signal, now: Date.now });
  return { reasons, waiting, stopping };
}
const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);

describe("A start that waits", () => {
  it("tries until it succeeds, and logs a reason at once and then once a minute", async () => {
    const { reasons, waiting } = waitingStart();
    let tries = 0;
    const endsAt = Date.now() + 150_000;
    const started = waiting.until(async () => {
      tries += 1;
      if (Date.now() < endsAt) throw new Error("The database is away.");
      return "started";
    });
    await minutes(1.9);
    expect(reasons.length).toBe(2);
    await minutes(1.1);
    expect(await started).toBe("started");
    expect([new Set(reasons), reasons.length]).toEqual([new Set(["The database is away."]), 3]);
    expect(tries).toBeGreaterThan(100);
  });

  it("logs another reason at once", async () => {
    const { reasons, waiting, stopping } = waitingStart();
    const started = waiting.until(async () => {
      throw new Error(Date.now() % 2000 < 1000 ? "one" : "two");
    });
    started.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reasons).toEqual(expect.arrayContaining(["one", "two"]));
    expect(reasons.length).toBe(2);
    stopping.abort();
    await expect(started).rejects.toBe(stopping.signal.reason);
  });

  it("pauses as long as an attempt took, so that it is at work half of the time at most", async () => {
    const { waiting } = waitingStart();
    let tries = 0;
    const started = waiting.until(async () => {
      tries += 1;
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      if (tries < 3) throw new Error("The disk is slow.");
    });
    await vi.advanceTimersByTimeAsync(99_000);
    expect(tries).toBe(3);
    await vi.advanceTimersByTimeAsync(1000);
    await started;
  });

  it("does something else after each failed attempt, and beside one that takes long", async () => {
    const { waiting, reasons } = waitingStart();
    const attempts = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    let meanwhile = 0;
    let at = 0;
    const started = waiting.until(
      () => (attempts[at++] as PromiseWithResolvers<string>).promise,
      async () => {
        meanwhile += 1;
        throw new Error("The port is taken.");
      },
    );
    attempts[0]?.reject(new Error("The folder is away."));
    await vi.advanceTimersByTimeAsync(1000);
    expect([at, meanwhile]).toEqual([2, 1]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(meanwhile).toBe(2);
    attempts[1]?.resolve("started");
    expect(await started).toBe("started");
    expect(reasons).toEqual(["The folder is away.", "The port is taken."]);
  });

  it.each([
    ["that no waiting mends", new FinalError("The database is of a newer version.")],
    ["of the program", new TypeError("undefined is not a function")],
    [
      "of the program, within another one",
      new Error("It failed.", { cause: new TypeError("undefined is no function") }),
    ],
  ])("ends with an error %s", async (_, error) => {
    const { reasons, waiting } = waitingStart();
    await expect(waiting.until(() => Promise.reject(error))).rejects.toBe(error);
    expect(reasons).toEqual([]);
  });
});

const ADDRESS = { host: "calls.example", variables: { host: "HOST", port: "PORT" } };
const failure = (fields: object) => Object.assign(new Error("x"), fields);
const listening = { syscall: "listen", code: "EACCES", port: 80 };

describe("An address that cannot be listened on", () => {
  it.each([
    [listening, "HOST and PORT cannot be listened on (EACCES)", true],
    [{ ...listening, code: "EADDRNOTAVAIL" }, "HOST and PORT cannot be listened on (EADDRNOTAVAIL)", false],
    [{ ...listening, code: "EMFILE" }, "HOST and PORT cannot be listened on (EMFILE)", false],
    [
      { ...listening, code: "EADDRINUSE" },
      "PORT: port 80 is taken by another program; set PORT to a free one, or to 0",
      false,
    ],
    [
      { syscall: "getaddrinfo", code: "ENOTFOUND", hostname: "calls.example" },
      "HOST has no address (ENOTFOUND)",
      false,
    ],
  ])("is named by its variables: %o", (fields, text, isFinal) => {
    const error = explainListenError(failure(fields), ADDRESS);
    expect([error.message, error instanceof FinalError]).toEqual([text, isFinal]);
  });

  it("is named without HOST where it is always the loopback", () => {
    const own = { host: "127.0.0.1", variables: { port: "SANDBOX_PORT" } };
    expect(explainListenError(failure(listening), own).message).toBe("SANDBOX_PORT cannot be listened on (EACCES)");
  });

  it.each([
    { syscall: "mkdir", code: "EACCES" },
    { syscall: "getaddrinfo", code: "ENOTFOUND", hostname: "database.example" },
  ])("is not taken for the cause of another error: %o", (fields) => {
    const error = failure(fields);
    expect(explainListenError(error, ADDRESS)).toBe(error);
  });

  it("is waited for while its host has no address, or is not there yet", async () => {
    const { waiting, reasons } = waitingStart();
    const failures = [
      failure({ syscall: "getaddrinfo", code: "EAI_AGAIN", hostname: "calls.example" }),
      ...Array.from({ length: 200 }, () => failure({ ...listening, code: "EADDRNOTAVAIL" })),
    ];
    const listened = listenWhenPossible(
      async () => {
        const next = failures.shift();
        if (next) throw next;
        return "listening";
      },
      ADDRESS,
      waiting,
    );
    await minutes(4);
    expect(await listened).toBe("listening");
    expect(reasons.length).toBeGreaterThan(4);
  });
});
