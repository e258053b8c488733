import { describe, expect, it } from "vitest";
import { warnOfLittleMemory } from "../../src/commands/warnOfMemory.ts";
import { bodyMemoryOf } from "../../src/config/memory.ts";
import { createLogger } from "../../src/logger.ts";

const MIB = 1024 * 1024;

describe("the memory of request bodies", () => {
  it.each([
    [64 * 1024, 96, 2],
    [640, 80, 2],
    [639, 79, 1],
    [384, 48, 1],
    [128, 24, 1],
  ])("of %i MiB in all is %i MiB, with %i parsed at a time", (memory, total, parsed) => {
    expect(bodyMemoryOf(memory * MIB)).toEqual({ total: total * MIB, ofCaller: 24 * MIB, parsed });
  });
});

it.each([
  [300, [expect.stringContaining('"memoryMib":300,"minimumMib":512')]],
  [512, []],
])("the start with %i MiB of memory warns only below the minimum", (memory, lines) => {
  const said: string[] = [];
  warnOfLittleMemory(createLogger({ level: "info", secrets: [], write: (text) => said.push(text) }), memory * MIB);
  expect(said).toEqual(lines);
});
