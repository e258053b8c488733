import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOptions, UsageError } from "../../src/commands/options.ts";

const options = { url: { type: "string" }, follow: { type: "boolean", default: false } } as const;
const read = (...args: string[]) => readOptions(args, options);
const errorOf = (args: string[]): unknown => {
  try {
    read(...args);
    return null;
  } catch (error) {
    return error;
  }
};

describe("readOptions", () => {
  it("separates options from positional arguments", () => {
    expect(read("--follow", "word", "--url", "x")).toEqual({
      values: { follow: true, url: "x" },
      positionals: ["word"],
      wantsHelp: false,
    });
    expect(read("--url=--x", "--", "--word")).toMatchObject({ values: { url: "--x" }, positionals: ["--word"] });
    expect(read("--url", "-cursor")).toMatchObject({ values: { url: "-cursor", follow: false } });
  });

  it("accepts --help and -h on every command line", () => {
    for (const asking of ["--help", "-h"]) expect(read(asking).wantsHelp).toBe(true);
  });

  it.each([
    [["--bogus"], "Unknown option --bogus."],
    [["--bogus=canary"], "Unknown option --bogus."],
    [["canary", "-b"], "Unknown option -b."],
    [["--constructor"], "Unknown option --constructor."],
    [["--follow=canary"], "--follow takes no value."],
    [["--url"], "--url needs a value."],
    [["--url", "--follow"], "--url needs a value."],
  ])("refuses %j in a sentence without the value", (args, problem) => {
    expect(() => read(...args)).toThrow(new UsageError(problem));
  });

  it("throws only UsageErrors, for any arguments", () => {
    const args = fc.array(fc.oneof(fc.string(), fc.constantFrom("--url", "--follow", "--", "--x=canary", "-h")));
    fc.assert(
      fc.property(args, (line) => {
        expect(errorOf(line) ?? new UsageError()).toBeInstanceOf(UsageError);
      }),
    );
  });
});
