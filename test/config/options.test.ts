import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOptions, UsageError } from "../../src/commands/options.ts";

const options = { url: { type: "string" }, follow: { type: "boolean", default: false } } as const;
const read = (...args: string[]) => readOptions(args, options);

describe("a command line is read", () => {
  it("into its options and its words", () => {
    expect(read("--follow", "word", "--url", "x")).toEqual({
      values: { follow: true, url: "x" },
      words: ["word"],
      asksForHelp: false,
    });
    expect(read("--url=--x", "--", "--word")).toMatchObject({ values: { url: "--x" }, words: ["--word"] });
    expect(read("--url", "-cursor")).toMatchObject({ values: { url: "-cursor", follow: false } });
  });

  it("and --help is known everywhere", () => {
    for (const asking of ["--help", "-h"]) expect(read(asking).wantsHelp).toBe(true);
  });
});

describe("what cannot be read is told in a sentence, without a value", () => {
  it.each([
    [["--bogus"], "Unknown option --bogus."],
    [["--bogus=canary"], "Unknown option --bogus."],
    [["canary", "-b"], "Unknown option -b."],
    [["--constructor"], "Unknown option --constructor."],
    [["--follow=canary"], "--follow takes no value."],
    [["--url"], "--url needs a value."],
    [["--url", "--follow"], "--url needs a value."],
  ])("%j", (args, problem) => {
    expect(() => read(...args)).toThrow(new UsageError(problem));
  });

  it("whatever it is", () => {
    const args = fc.array(fc.oneof(fc.string(), fc.constantFrom("--url", "--follow", "--", "--x=canary", "-h")));
    fc.assert(
      fc.property(args, (line) => {
        try {
          read(...line);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});
