// The optimisations that cost clarity, each with the edits that take it out.
import type { queryWorks } from "../contest/queryWork.ts";

export interface Edit {
  file: string;
  /** Must occur exactly once in the file. */
  from: string;
  to: string;
}

/** A query, or a webhook that is sent to many subscribers. */
export type Work = keyof typeof queryWorks | "fanout";

export interface Ablation {
  name: string;
  edits: readonly Edit[];
  /** Variables of the gateway without the optimisation. */
  settings?: Record<string, string>;
  /** What the optimisation is for. */
  works: readonly Work[];
}

export const ablations: readonly Ablation[] = [
  {
    name: "POST without Yoga, and compiled execution (FAST_PATH)",
    edits: [],
    settings: { FAST_PATH: "off" },
    works: ["typename", "q1", "q3"],
  },
  {
    name: "decision cache",
    edits: [
      {
        file: "src/graphql/policy/admission.ts",
        from: "createDecisionCache(createOperationPolicy(options))",
        to: "createOperationPolicy(options)",
      },
    ],
    works: ["typename", "q1"],
  },
  {
    name: "credential cache",
    edits: [
      {
        file: "src/gateway/createServer.ts",
        from: "knowsViewers ? cacheCredentials(admit) : admit",
        to: "admit",
      },
    ],
    works: ["typename", "q1"],
  },
  {
    name: "values without promises (maybePromise)",
    edits: [
      {
        file: "src/util/maybePromise.ts",
        from: "return value instanceof Promise ? value.then(use) : use(value);",
        to: "return Promise.resolve(value).then(use);",
      },
    ],
    works: ["typename", "q3"],
  },
  {
    name: "instants written by hand",
    edits: [
      {
        file: "src/format/instant.ts",
        from: "  if (!isFourDigitYear) return new Date(epochMs).toISOString();",
        to: "  if (isFourDigitYear || epochMs > 0) return new Date(epochMs).toISOString();",
      },
    ],
    works: ["q3"],
  },
  {
    name: "latest event cache",
    edits: [
      {
        file: "src/events/latestEventCache.ts",
        from: "if (entry && entry.cachedAt >= oldestAllowed) return entry.event;",
        to: "if (entry && now() < oldestAllowed) return entry.event;",
      },
    ],
    works: ["q1", "q3"],
  },
  {
    name: "shared subscriptions",
    edits: [
      {
        file: "src/graphql/pipeline.ts",
        from: "handoff: send ? groups.handoffFor({ operation, allowance, rows, grant, send }) : null,",
        to: "handoff: null,",
      },
    ],
    works: ["fanout"],
  },
];
