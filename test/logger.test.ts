import { connect } from "node:net";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLogger, maskDigitRuns, ownNumber, type Logger, type LogLevel } from "../src/logger.ts";
import { CodedError } from "../src/errors.ts";
import { createLogContext, withoutLogContext } from "../src/util/logContext.ts";
import { silentLog } from "./support/silentLog.ts";

const SECRET = 'canary "bird"\\1';

function logged(use: (log: Logger) => void, secrets = [SECRET], level: LogLevel = "debug"): string[] {
  const lines: string[] = [];
  use(createLogger({ level, secrets, write: (line) => lines.push(line) }));
  return lines;
}

function onlyLine(use: (log: Logger) => void, secrets?: string[]): Record<string, unknown> {
  const lines = logged(use, secrets);
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? "") as Record<string, unknown>;
}

describe("A secret in the log", () => {
  const places: [string, (log: Logger) => void][] = [
    ["in a message", (log) => log.info({}, `sent ${SECRET} away`)],
    ["in a field", (log) => log.info({ header: SECRET }, "sent")],
    ["in a nested field", (log) => log.info({ a: [{ b: `Bearer ${SECRET}` }] }, "sent")],
    ["in a field's name", (log) => log.info({ [SECRET]: true }, "sent")],
    ["in an error's message and stack", (log) => log.error({ err: new Error(`refused ${SECRET}`) }, "failed")],
    ["in an error's cause", (log) => log.error({ err: new Error("refused", { cause: new Error(SECRET) }) }, "failed")],
    ["in JSON inside a text", (log) => log.info({ body: JSON.stringify({ token: SECRET }) }, "sent")],
  ];

  it.each(places)("is not written %s", (_, write) => {
    const [line = ""] = logged(write);
    expect(line).toContain("***");
    for (const part of ["canary", "bird"]) expect(line).not.toContain(part);
    JSON.parse(line);
  });

  it("is hidden whole if a shorter one is part of it", () => {
    const [line = ""] = logged((log) => log.info({ header: "old-key-of-web" }, "x"), ["old-key", "old-key-of-web"]);
    expect(line).not.toContain("of-web");
  });

  it.each(["the", "token", "secret"])("leaves words readable that hold the short secret %s", (secret) => {
    const text = "the gateway keeps the secret of a token in secrets";
    const line = onlyLine((log) => log.info({ text, header: `Bearer ${secret}`, value: secret }, text), [secret]);
    expect(line).toMatchObject({ text, header: "***", value: "***", msg: text });
  });

  it("hides nothing if it is empty", () => {
    expect(onlyLine((log) => log.info({ a: "b" }, "plain"), [""])).toMatchObject({ a: "b", msg: "plain" });
  });
});

describe("A run of 7 or more digits in the log", () => {
  it.each([
    ["13800010001", "***01"],
    ["+8613800010001 rang", "***01 rang"],
    ["1234567", "***67"],
    ["123456", "123456"],
    ["A068", "A068"],
    ["2026-11-20T09:30:00.000Z", "2026-11-20T09:30:00.000Z"],
  ])("is masked: %j is written as %j", (text, masked) => {
    expect(maskDigitRuns(text)).toBe(masked);
    expect(onlyLine((log) => log.info({ text }, text))).toMatchObject({ text: masked, msg: masked });
  });

  it("is masked in messages, fields and errors", () => {
    const err = new Error("no answer from 13800010001");
    const [line = ""] = logged((log) => log.error({ err, deep: { list: ["+8613800010001"] } }, "13800010001"));
    expect(line).not.toContain("1380001");
    expect(line).not.toContain("0010001");
    expect(JSON.parse(line)).toMatchObject({ err: { type: "Error", message: "no answer from ***01" } });
  });

  it.each([13800010001, -13800010001, 1380001.5, 0.13800010001, 1.3800010001e25])("is masked as the number %d", (n) => {
    const line = onlyLine((log) => log.info({ n, list: [n, 12], last: { n } }, "numbers"));
    expect(line).toMatchObject({ n: 0, list: [0, 12], last: { n: 0 } });
  });

  it("stays readable as a number that the gateway made itself, and only there", () => {
    const fields = {
      seq: ownNumber(1_764_000_123_456),
      phone: 13800010001,
      deep: { seq: ownNumber(13800010001) },
      text: "1764000123456",
    };
    const line = onlyLine((log) => log.info(fields, "at 1764000123456"));
    expect(line).toMatchObject({ seq: 1_764_000_123_456, phone: 0, text: "***56", msg: "at ***56" });
    expect(JSON.stringify(line)).not.toContain("1380001");
    expect(onlyLine((log) => log.info({ n: 1_764_000_123_456 }, "the line after it"))).toMatchObject({ n: 0 });
  });

  it("is masked after a character that JSON escapes with digits", () => {
    const text = "\u00011234567 \ud8001234567 \\u1234567";
    const [line = ""] = logged((log) => log.info({ text }, text));
    expect(line).not.toContain("1234567");
    JSON.parse(line);
  });
});

describe("A line of the log", () => {
  it("is JSON for any fields and any secrets", () => {
    const secrets = fc.array(fc.string({ maxLength: 4, unit: "grapheme" }), { maxLength: 4 });
    const nasty = fc.constantFrom('"', "\\", ":", ",", "n", "0", "12345", "true", "}", '","', "\\u00");
    const texts = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[\\"u0-9:,]{0,20}$/), nasty);
    fc.assert(
      fc.property(texts, fc.object(), fc.double(), secrets, fc.array(nasty), (text, fields, number, some, more) => {
        const lines = logged((log) => log.info({ fields, number, text }, text), [...some, ...more]);
        expect(lines).toHaveLength(1);
        expect(lines[0]).toMatch(/^[^\n]*\n$/);
        JSON.parse(lines[0] ?? "");
      }),
      { numRuns: 1000 },
    );
  });

  it("contains no secret within any other text", () => {
    const around = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(around, around, fc.stringMatching(/^[!-~]{8,20}$/), (before, behind, secret) => {
        const text = JSON.stringify({ text: `${before} ${secret} ${behind}` });
        const line = onlyLine((log) => log.info(JSON.parse(text) as Record<string, unknown>, ""), [secret]);
        expect(line["text"]).not.toContain(secret);
        expect(line["text"]).toContain("***");
      }),
    );
  });

  it("has the name of its level and the time, and no host or process", () => {
    const line = onlyLine((log) => log.warn({ bytes: 12 }, "kept"));
    expect(line).toEqual({ level: "warn", time: expect.stringMatching(/^\d{4}-.*Z$/), bytes: 12, msg: "kept" });
  });

  it("has the stack of a fault, and none of a connection that failed", async () => {
    const refused = await new Promise<Error>((resolve) => connect(1, "127.0.0.1").on("error", resolve));
    const stackOf = (err: Error) => (onlyLine((log) => log.warn({ err }, "It failed."))["err"] as Error).stack;
    expect(stackOf(new CodedError("UPSTREAM_UNAVAILABLE", "The service is away.", { cause: refused }))).toBeUndefined();
    expect(stackOf(refused)).toBeUndefined();
    expect(stackOf(new Error("fault", { cause: new TypeError("deeper") }))).toContain("logger.test.ts");
  });

  it("has an error's causes after its message", () => {
    const refused = Object.assign(new AggregateError([new Error("::1")], ""), { code: "ECONNREFUSED" });
    const circle = new Error("It failed.");
    circle.cause = new Error("so did this.", { cause: circle });
    const messages = [
      new Error("The service could not be reached.", { cause: new TypeError("fetch failed", { cause: refused }) }),
      new Error("Alone.", { cause: "no error" }),
      circle,
    ].map((err) => onlyLine((log) => log.error({ err }, "failed"))["err"] as { message: string; stack: string });
    expect(messages.map(({ message }) => message)).toEqual([
      "The service could not be reached: fetch failed: ECONNREFUSED",
      "Alone.",
      "It failed: so did this.",
    ]);
    expect(messages[2]?.stack).toMatch(/^Error: It failed[^]*caused by: Error: so did this/);
  });

  it("has a thrown value that is not an error", () => {
    expect(onlyLine((log) => log.error({ err: "a word" }, "failed"))["err"]).toBe("a word");
  });

  it("is not written below the level", () => {
    expect(logged((log) => log.info({}, "quiet"), [], "warn")).toEqual([]);
    expect(logged((log) => log.error({}, "quiet"), [], "silent")).toEqual([]);
    silentLog.error({}, "quiet");
  });
});

describe("The fields of the current work", () => {
  const requestId = "9f86d081884c7d659a2feaa0c55ad015";

  it("are on each line, also after a wait, and are not masked", async () => {
    const lines: string[] = [];
    const log = createLogger({ level: "info", secrets: [], write: (line) => lines.push(line) });
    await createLogContext({ requestId }).run(async () => {
      await Promise.resolve();
      log.info({ phone: "13800010001" }, "handled");
      createLogContext({ traceId: requestId }).run(() => log.info({}, "traced"));
      withoutLogContext(() => log.info({}, "shared"));
    });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { requestId, phone: "***01" },
      { requestId, traceId: requestId },
      { msg: "shared" },
    ]);
    expect(lines[2]).not.toContain("requestId");
  });
});
