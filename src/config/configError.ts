// What is wrong with a configuration, all of it at once; never a value.

/** Exit code of a configuration that cannot be used (EX_CONFIG of sysexits.h). */
export const EXIT_CONFIG = 78;

export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}
