// A table of people as a program writes it, with what it means: the form of the cases in tables.ts.

export interface TableCase {
  what: string;
  text: string;
  separator: string;
  /** The row that names the columns; 0: none. */
  head: number;
  /** The places of the number and of the name; -1: none. */
  number: number;
  name: number;
  /** The numbers that can be called, with the names. */
  people: string[];
  /** Rows that are left out. */
  left: string[];
  /** What is asked before anything is read. */
  asks: string[];
  source: string;
}

const github = (path: string) => (path === "own" ? path : `https://github.com/${path}`);
type Right = Partial<Omit<TableCase, "what" | "text" | "source">>;

/** Without `right`: two people with names, in two columns below a head. */
export function tableCase(what: string, source: string, lines: string | string[], right: Right): TableCase {
  const text = typeof lines === "string" ? lines : lines.join("\n");
  const usual = { separator: ",", head: 1, number: 1, name: 0, people: [A, B], left: [], asks: [] };
  return { what, text, source: github(source), ...usual, ...right };
}

export const A = "+12025550101 Li";
export const B = "+12025550102 Wang";
export const [NUMBER_A, NUMBER_B] = ["+12025550101", "+12025550102"];
