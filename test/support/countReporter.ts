import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with one plain line, `123 passed, 0 failed`, that a script can read. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      if (module.state() === "failed" && module.errors().length > 0) count.failed += 1;
    }
    const skipped = count.skipped + count.pending;
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed${skipped ? `, ${skipped} skipped` : ""}\n`);
  }
}
