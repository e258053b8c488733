import { expect, it } from "vitest";
import { createLogger, type LogLevel } from "../../src/logger.ts";
import { callLogQuery, emptyPage, json, serve, upstreamAt } from "./service.ts";

const PHONE = "13800010001";

async function linesAt(level: LogLevel): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({
    level,
    secrets: [],
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  await using service = await serve(json(emptyPage));
  await using upstream = upstreamAt(service.url, { log });
  await upstream.listCallLogs(callLogQuery({ phone: PHONE }));
  return lines;
}

it("A request to the service has a line at LOG_LEVEL=debug with its time, and without its contents", async () => {
  const lines = await linesAt("debug");
  expect(lines).toMatchObject([
    { level: "debug", msg: "a request to the service has ended", route: "call_log", status: 200, attempt: 1 },
  ]);
  expect(lines[0]?.["milliseconds"]).toBeGreaterThan(0);
  expect(JSON.stringify(lines)).not.toContain(PHONE);
});

it("A request to the service has no line at LOG_LEVEL=info", async () => {
  expect(await linesAt("info")).toEqual([]);
});
