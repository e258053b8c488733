// The findings as a table for people.
import { questions, type Finding } from "./finding.ts";

export function report(findings: readonly Finding[], settings: readonly string[], asked: number): string {
  const rows = findings.map(({ question, value, evidence }) => [
    questions[question],
    value ?? "undetermined",
    evidence,
  ]);
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const [first, second] = [width(0), width(1)];
  const table = rows.map(
    ([name = "", value = "", evidence = ""]) => `  ${name.padEnd(first)}  ${value.padEnd(second)}  ${evidence}`,
  );
  const settled = findings.filter(({ confidence }) => confidence === "determined").length;
  return [
    "",
    ...table,
    "",
    `  ${settled} of ${findings.length} determined, with ${asked} requests, all of them GET.`,
    "",
    "  Settings:",
    "",
    ...settings.map((line) => `  ${line}`),
    "",
    "",
  ].join("\n");
}
