// The optimisations that cost clarity, each with the edits that take it out.
import type { queryWorks } from "../contest/queryWork.ts";

export interface Edit {
  file: string;
  /** Stands in the file exactly once. */
  from: string;
  to: string;
}

export interface Ablation {
  name: string;
  edits: readonly Edit[];
  /** Variables of the gateway without the optimisation. */
  settings?: Record<string, string>;
  /** The queries that it is for. */
  works: readonly (keyof typeof queryWorks)[];
}

export const ablations: readonly Ablation[] = [
  {
    name: "FAST_PATH: Yoga bypass and compiled execution",
    edits: [],
    settings: { FAST_PATH: "off" },
    works: ["typename", "q1", "q2"],
  },
];
